import { Type } from 'typebox';
import { Value } from 'typebox/value';

export type ListPlace = { unread: boolean; active_at: Date; other_id: string };

const Place = Type.Tuple([
  Type.Boolean(),
  Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 }),
  Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
]);

export const toCursor = ({ unread, active_at, other_id }: ListPlace): string =>
  Buffer.from(JSON.stringify([unread, active_at.getTime(), other_id])).toString('base64url');

/** Returns null for an invalid cursor. */
export function fromCursor(text: string): ListPlace | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Value.Check(Place, value)) return null;
  const [unread, at, other_id] = value;
  return { unread, active_at: new Date(at), other_id };
}
