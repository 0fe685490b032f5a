import type { DocumentSort } from '@karaar/contracts/documents/http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { badRequest } from '@karaar/base/errors';
import { isTimestamp } from '@karaar/db/keyset';
import { isUuid } from '@karaar/db';
import type { Place } from './listing.repository.ts';

const Cursor = Type.Tuple([Type.String(), Type.Union([Type.String(), Type.Null()]), Type.String()]);

export const cursorOf = (sort: DocumentSort, place: Place): string =>
  Buffer.from(JSON.stringify([sort, place.key, place.id])).toString('base64url');

/** Decodes a cursor. Throws 400 if it is invalid or belongs to another sort order. */
export function placeOf(sort: DocumentSort, cursor: string | undefined): Place | undefined {
  if (!cursor) return undefined;
  const parsed = parse(cursor);
  if (!Value.Check(Cursor, parsed) || parsed[0] !== sort || !isUuid(parsed[2]) || !fits(sort, parsed[1])) {
    throw badRequest('bad_cursor', 'This page of the list does not exist. Start again from the first one.');
  }
  return { key: parsed[1], id: parsed[2] };
}

function fits(sort: DocumentSort, key: string | null): boolean {
  if (sort === 'newest' || sort === 'oldest') return key === null;
  if (sort === 'changed') return key !== null && isTimestamp(key);
  return key !== null && !key.includes('\0');
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
