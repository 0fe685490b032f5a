/** What the migration to approvals computes, as it was then: version 1 of the hash of a document's content. */
import { createHash } from 'node:crypto';

/** Files, terms, and which document in which version they are; lower-case hex, days `YYYY-MM-DD`. */
export type ApprovedContent = {
  document: { id: string; code: string; version: number };
  files: { name: string; sha256: string; bytes: number }[];
  terms: {
    name: string;
    location: string | null;
    start_date: string | null;
    end_date: string | null;
    description: string | null;
    page_details: { page_no: number; description: string }[];
  };
};

/**
 * Hex SHA-256 of the content's canonical JSON (RFC 8785).
 * @throws RangeError for what has no one form: half a character, a number that is no whole one, a missing field
 */
export function contentHash({ document, files, terms }: ApprovedContent): string {
  const text = canonical({
    type: 'karaar.content',
    version: 1,
    document: { id: document.id, code: document.code, version: document.version },
    files: files.map(({ name, sha256, bytes }) => ({ name, sha256, bytes })),
    terms: {
      name: terms.name,
      location: terms.location,
      start_date: terms.start_date,
      end_date: terms.end_date,
      description: terms.description,
      page_details: terms.page_details.map(({ page_no, description }) => ({ page_no, description })),
    },
  });
  return createHash('sha256').update(text).digest('hex');
}

/** Keys in the order of their UTF-16 units; texts and whole numbers are written by JSON.stringify as RFC 8785 asks. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join()}}`;
  }
  if (typeof value === 'string' && !value.isWellFormed()) throw new RangeError('half a character');
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError('not a whole number');
  if (value !== null && typeof value !== 'string' && typeof value !== 'number')
    throw new RangeError(`${typeof value} cannot be stated`);
  return JSON.stringify(value);
}
