/** Translates the services' responses for readers of other languages: by code, not by the English detail. */
import { activeLanguage } from '@karaar/i18n';
import { errorTexts, type ErrorKey } from './texts.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the field in a fault's location: `page_details.0.page_no` → `page_details`. */
function fieldOf(fault: unknown): string {
  const loc = isRecord(fault) ? fault['loc'] : undefined;
  const path = Array.isArray(loc) ? loc.map(String) : typeof loc === 'string' ? loc.split('.') : [];
  return path.find((part) => part !== 'body') ?? '';
}

/** Codes about one of several files, whose texts name it. */
const FILE_KEYS = [
  'file_empty',
  'file_gone',
  'file_kind',
  'file_locked',
  'file_broken',
  'file_letters',
  'file_cipher',
  'file_fonts',
  'file_collection',
  'file_attachments',
  'file_xfa',
  'file_macros',
  'file_large',
  'file_too_large',
  'file_infected',
  'pictures_not_accepted',
  'left_out_not_accepted',
  'final_file_kind',
] as const;
type FileKey = (typeof FILE_KEYS)[number];
const isFileKey = (key: ErrorKey): key is FileKey => (FILE_KEYS as readonly ErrorKey[]).includes(key);

function fileOf(detail: unknown): string {
  const fault: unknown = Array.isArray(detail) ? detail[0] : undefined;
  const file = isRecord(fault) ? fault['file'] : undefined;
  return typeof file === 'string' ? file : errorTexts.say('field_raw_documents');
}

/** Returns the names of the refused form fields, each once. */
function fieldsOf(detail: unknown): string {
  const fields = (Array.isArray(detail) ? detail : []).map((fault) => {
    const key = `field_${fieldOf(fault)}`;
    return errorTexts.say(errorTexts.has(key) ? key : 'field_other');
  });
  return [...new Set(fields)].join(', ') || errorTexts.say('field_other');
}

const isRefusedForm = (body: unknown): body is { detail: unknown[] } =>
  isRecord(body) && body['code'] === 'validation' && Array.isArray(body['detail']);

/**
 * Returns the faults of a refused form for readers of English: the service's texts after the field names of
 * the screen, `End date: must not be before the start`. A field without a screen name keeps its API name.
 */
function faultsInEnglish(detail: unknown[]): string | undefined {
  const lines = detail.flatMap((fault) => {
    const msg = isRecord(fault) ? fault['msg'] : undefined;
    if (typeof msg !== 'string' || msg.trim() === '') return [];
    const key = `field_${fieldOf(fault)}`;
    if (key === 'field_' || !errorTexts.has(key)) return [fieldOf(fault) ? `${fieldOf(fault)}: ${msg}` : msg];
    const name = errorTexts.say(key);
    return [`${name.charAt(0).toUpperCase()}${name.slice(1)}: ${msg}`];
  });
  return lines.length === detail.length ? lines.join(', ') : undefined;
}

/**
 * Returns the text of a response's code in the reader's language; undefined for readers of English (except
 * for a refused form), for an unknown code, and until the texts are loaded.
 * @param body the parsed body of a failed response, of any type
 */
export function wordsOfAnswer(body: unknown): string | undefined {
  if (!errorTexts.isReadable()) return undefined;
  if (activeLanguage() === 'en') return isRefusedForm(body) ? faultsInEnglish(body.detail) : undefined;
  const code = isRecord(body) ? body['code'] : undefined;
  if (typeof code !== 'string' || !errorTexts.has(code)) return undefined;
  const key: ErrorKey = code;
  if (isFileKey(key))
    return errorTexts.say(key, { file: fileOf((body as Record<string, unknown>)['detail']) });
  if (key !== 'validation') return errorTexts.say(key);
  return errorTexts.say(key, { fields: fieldsOf((body as Record<string, unknown>)['detail']) });
}

/**
 * Loads the texts for the first error that needs them. Without them the service's text is shown.
 * @param body of the response
 */
export async function fetchWords(body: unknown): Promise<void> {
  if (activeLanguage() === 'en' && !isRefusedForm(body)) return;
  await errorTexts.load().catch(reportError);
}
