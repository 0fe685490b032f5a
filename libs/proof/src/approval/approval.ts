/**
 * What a party approves, as bytes that are the same wherever they are made: canonical JSON (RFC 8785) of a versioned
 * structure. Hashes of it are stored with approvals and compared years later, so a version never changes its form; what
 * has to be said otherwise is said in the next one.
 *
 * Version 1 names the uploaded files alone. Version 2 names as well the pages that were made of each: people read these,
 * and these are sealed. Version 3 is the statement that a key of the person's own signs: it names the key, and a number
 * that is used once.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import canonicalize from 'canonicalize';
import { toHex, utf8 } from '../bytes.ts';

/** One of the exact files, in the document's order, as version 1 names it. */
export type UploadedFile = {
  name: string;
  /** Lower-case hex. */
  sha256: string;
  bytes: number;
};

export type ApprovedFile = UploadedFile & {
  /** Lower-case hex, of the pages that were made of it as one PDF; null where none could be made and the file was shown. */
  pages_sha256: string | null;
};

/** What the document says beside its files. Days are `YYYY-MM-DD`. */
export type ApprovedTerms = {
  name: string;
  location: string | null;
  start_date: string | null;
  end_date: string | null;
  description: string | null;
  page_details: { page_no: number; description: string }[];
};

/** What could be read of a document, and be approved, as version 1 says it. */
export type UploadedContent = {
  /** `version` grows with files and terms only, not with what parties do. */
  document: { id: string; code: string; version: number };
  files: UploadedFile[];
  terms: ApprovedTerms;
};

/** What can be read of a document, and be approved. */
export type ApprovedContent = Omit<UploadedContent, 'files'> & { files: ApprovedFile[] };

export type ApprovalFacts = ApprovedContent & {
  role: 'primary' | 'party';
  person: { user_id: string; char_id: string; name: string };
  /** ISO 8601, UTC, milliseconds. */
  approved_at: string;
};

export type ApprovalStatement = { type: 'karaar.approval'; version: 2 } & ApprovalFacts;

/** What one signature with a key of the person's own stands for. */
export type SignedFacts = ApprovalFacts & {
  /** Base64url, of the server, good for one approval. */
  nonce: string;
  /** Lower-case hex, of the key as COSE has it. */
  key: { sha256: string };
};

export type SignedStatement = { type: 'karaar.approval'; version: 3 } & SignedFacts;

/** The version in which contents are hashed and approvals stated now. */
export const CONTENT_VERSION = 2;

/** Hex SHA-256 of files, their pages, terms, and which document in which version they are: the same for all who read it. */
export const contentHash = (content: ApprovedContent): string =>
  sha256Hex(canonical({ type: 'karaar.content', version: CONTENT_VERSION, ...pickContent(content) }));

/** The same in version 1, for approvals that were given when it was the only one. */
export const contentHashV1 = (content: UploadedContent): string =>
  sha256Hex(canonical({ type: 'karaar.content', version: 1, ...pickUploaded(content) }));

/** The statement of one approval as its canonical bytes stand for it: the text to store, to hash and to sign. */
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

/** The same as {@link approvalStatement}, for an approval that a key of the person's own signs. */
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

/** What a text in the one form of version 3 states. Throws RangeError for any other text. */
export function readSignedStatement(text: string): SignedStatement {
  try {
    const stated = JSON.parse(text) as SignedStatement;
    if (signedStatement(stated) === text) return stated;
  } catch {
    // What is missing in it is not worth a word of its own.
  }
  throw new RangeError('not a statement that a key signs');
}

/** Hex SHA-256 of a statement's text. */
export const statementHash = (statement: string): string => sha256Hex(statement);

const sha256Hex = (text: string): string => toHex(sha256(utf8(text)));

/** Only what version 2 names, whatever else the given objects carry. */
function pickContent(content: ApprovedContent): ApprovedContent {
  const { document, terms } = pickUploaded(content);
  const files = content.files.map(({ name, sha256, bytes, pages_sha256 }) => ({
    ...{ name, sha256, bytes },
    pages_sha256,
  }));
  return { document, files, terms };
}

/** Only what version 1 names. */
function pickUploaded({ document, files, terms }: UploadedContent): UploadedContent {
  const { id, code, version } = document;
  const { name, location, start_date, end_date, description, page_details } = terms;
  return {
    document: { id, code, version },
    files: files.map((file) => ({ name: file.name, sha256: file.sha256, bytes: file.bytes })),
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

/** Throws RangeError for a value that can be written in several ways: half a character, a fraction, a missing field. */
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
