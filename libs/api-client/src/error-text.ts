/**
 * Returns the text of an error toast (spec §8): `detail` (a text, or a list of {loc, msg} as 'loc: msg'),
 * then `message`, then a list by its msg or message values, then any other object by its values, else the
 * default.
 * @param response the parsed body of the failed response, of any type
 * @param fallback the default text of the request
 */
export function errorText(response: unknown, fallback: string): string {
  if (Array.isArray(response)) return join(response.map(entryText)) || fallback;
  if (!isRecord(response)) return fallback;
  const detail = detailText(response['detail']);
  if (detail) return detail;
  const message = text(response['message']);
  if (message) return message;
  const rest = Object.entries(response).filter(([key]) => key !== 'code' && key !== 'detail');
  return join(rest.map(([, value]) => valueText(value))) || fallback;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers and booleans count as text inside an object; blank texts do not. */
function text(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}

const join = (parts: readonly string[]): string => parts.filter(Boolean).join(', ');

function detailText(detail: unknown): string {
  if (typeof detail === 'string') return detail.trim();
  if (!Array.isArray(detail)) return '';
  return join(
    detail.map((entry) => {
      if (!isRecord(entry)) return text(entry);
      const message = entryText(entry);
      // Some servers send the location as a path, for example ["body", "phone_no"].
      const place = Array.isArray(entry['loc']) ? entry['loc'].map(text).join('.') : text(entry['loc']);
      return place && message ? `${place}: ${message}` : message;
    }),
  );
}

function entryText(entry: unknown): string {
  if (!isRecord(entry)) return text(entry);
  return text(entry['msg']) || text(entry['message']);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return join(value.map(entryText));
  return isRecord(value) ? entryText(value) : text(value);
}
