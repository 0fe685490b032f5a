/**
 * The log's entry about a person's signing key: the person (SHA-256 of the user id), the key and the time.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { textOf, toHex, utf8 } from '../bytes.ts';

export type TaggedKeyChange = {
  action: 'added' | 'removed';
  tag: string;
  /** Lower-case hex SHA-256 of the COSE key. */
  keySha256: string;
  /** ISO 8601, UTC, milliseconds. */
  at: string;
};
export type KeyChange = Omit<TaggedKeyChange, 'tag'> & { userId: string };

const KIND = 'karaar/signing-key/v1';
const ENTRY =
  /^karaar\/signing-key\/v1\n(added|removed)\n([0-9a-f]{64})\n([0-9a-f]{64})\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\n$/;

/** Returns the hex SHA-256 of a user id, which identifies the person in the log. */
export const userTag = (userId: string): string => toHex(sha256(utf8(userId)));

/** Returns the lower-case hex SHA-256 of a COSE key, which identifies the key in the log. */
export const keyHash = (publicKey: Uint8Array): string => toHex(sha256(publicKey));

/** Returns the entry's bytes, as the log stores and publishes them. */
export const keyEntry = ({ userId, ...change }: KeyChange): Uint8Array =>
  taggedKeyEntry({ ...change, tag: userTag(userId) });

/** Returns the entry for a person of whom only the tag is known. */
export const taggedKeyEntry = ({ action, tag, keySha256, at }: TaggedKeyChange): Uint8Array =>
  utf8(`${KIND}\n${action}\n${tag}\n${keySha256}\n${at}\n`);

/** Parses the key change in a log entry; undefined for entries of other kinds. */
export function readKeyEntry(entry: Uint8Array): TaggedKeyChange | undefined {
  let text: string;
  try {
    text = textOf(entry);
  } catch {
    return undefined;
  }
  const [, action, tag = '', keySha256 = '', at = ''] = ENTRY.exec(text) ?? [];
  if (action !== 'added' && action !== 'removed') return undefined;
  return { action, tag, keySha256, at };
}
