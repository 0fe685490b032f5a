/**
 * The content that a party approves, as bytes that are the same everywhere: canonical JSON (RFC 8785) of a
 * versioned structure. Its hashes are stored with approvals and compared years later, so a version never
 * changes; a change needs a new version.
 *
 * Version 2 holds the uploaded files and the pages made from each, which people read and which are sealed.
 * Version 3 is the statement that the person's own key signs: it adds the key and a nonce.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import canonicalize from 'canonicalize';
import { toHex, utf8 } from '../bytes.ts';

/** An uploaded file, in the document's order. */
export type ApprovedFile = {
  name: string;
  /** Lower-case hex. */
  sha256: string;
  bytes: number;
  /**
   * Lower-case hex of the pages made from the file as one PDF; null if none could be made and the file itself
   * was shown.
   */
  pages_sha256: string | null;
};

/** The document's data apart from its files. Days are `YYYY-MM-DD`. */
export type ApprovedTerms = {
  name: string;
  location: string | null;
  start_date: string | null;
  end_date: string | null;
  description: string | null;
  page_details: { page_no: number; description: string }[];
};

export type ApprovedContent = {
  /** `version` grows only with files and terms, not with acts of the parties. */
  document: { id: string; code: string; version: number };
  files: ApprovedFile[];
  terms: ApprovedTerms;
};

export type ApprovalFacts = ApprovedContent & {
  role: 'primary' | 'party';
  person: { user_id: string; char_id: string; name: string };
  /** ISO 8601, UTC, milliseconds. */
  approved_at: string;
};

export type ApprovalStatement = { type: 'karaar.approval'; version: 2 } & ApprovalFacts;

/** The data that a signature with the person's own key covers. */
export type SignedFacts = ApprovalFacts & {
  /** Base64url nonce from the server, valid for one approval. */
  nonce: string;
  /** Lower-case hex SHA-256 of the COSE key. */
  key: { sha256: string };
};

export type SignedStatement = { type: 'karaar.approval'; version: 3 } & SignedFacts;

export const CONTENT_VERSION = 2;

/**
 * Returns the hex SHA-256 of the files, their pages, the terms, and the document's id and version: the same
 * for all readers.
 */
export const contentHash = (content: ApprovedContent): string =>
  sha256Hex(canonical({ type: 'karaar.content', version: CONTENT_VERSION, ...pickContent(content) }));

/** Returns the canonical text of an approval statement, to store, hash and sign. */
export const approvalStatement = (facts: ApprovalFacts): string => {
  const { role, person, approved_at } = facts;
  const { user_id, char_id, name } = person;
  const statement: ApprovalStatement = {
    type: 'karaar.approval',
    version: CONTENT_VERSION,
    ...pickContent(facts),
    role,
    person: { user_id, char_id, name },
    approved_at,
  };
  return canonical(statement);
};

/** Returns the canonical text of a statement that the person's own key signs. */
export const signedStatement = (facts: SignedFacts): string => {
  const { role, person, approved_at, nonce, key } = facts;
  const { user_id, char_id, name } = person;
  const statement: SignedStatement = {
    type: 'karaar.approval',
    version: 3,
    ...pickContent(facts),
    role,
    person: { user_id, char_id, name },
    approved_at,
    nonce,
    key: { sha256: key.sha256 },
  };
  return canonical(statement);
};

/**
 * Parses a canonical text of version 3.
 * @throws RangeError for any other text
 */
export function readSignedStatement(text: string): SignedStatement {
  try {
    const stated = JSON.parse(text) as SignedStatement;
    if (signedStatement(stated) === text) return stated;
  } catch {
    // Reported below, like any other malformed text.
  }
  throw new RangeError('not a signed approval statement');
}

/** Returns the lower-case hex SHA-256 of a canonical text in UTF-8. */
export const statementHash = (statement: string): string => sha256Hex(statement);

const sha256Hex = (text: string): string => toHex(sha256(utf8(text)));

function pickContent({ document, files, terms }: ApprovedContent): ApprovedContent {
  const { id, code, version } = document;
  const { name, location, start_date, end_date, description, page_details } = terms;
  return {
    document: { id, code, version },
    files: files.map(({ name, sha256, bytes, pages_sha256 }) => ({ name, sha256, bytes, pages_sha256 })),
    terms: {
      name,
      location,
      start_date,
      end_date,
      description,
      page_details: page_details.map((page) => ({ page_no: page.page_no, description: page.description })),
    },
  };
}

/**
 * Returns the canonical text.
 * @throws RangeError for a value without one canonical form: an unpaired surrogate, a fraction, a missing
 * field
 */
function canonical(value: object): string {
  requireOneForm(value);
  const text = canonicalize(value);
  if (text === undefined) throw new RangeError('nothing to state');
  return text;
}

function requireOneForm(value: unknown): void {
  if (value === null) return;
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new RangeError('half a character');
  } else if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError('not a whole number');
  } else if (typeof value === 'object') {
    for (const each of Object.values(value)) requireOneForm(each);
  } else {
    throw new RangeError(`${typeof value} cannot be stated`);
  }
}
