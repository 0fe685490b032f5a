/** Splits a long conversation into ranges, so that only those near the view are rendered. */
import type { Message } from '@karaar/contracts/messaging/http';

/** Messages per range: a phone shows only a few ranges at a time. */
export const STRETCH = 25;

export type Stretch = {
  /** The same for the same positions, whatever else is loaded. */
  key: number;
  messages: readonly Message[];
  /** The message before the first one, if loaded. */
  before: Message | undefined;
};

const same = (a: Stretch, b: Stretch) =>
  a.before === b.before &&
  a.messages.length === b.messages.length &&
  a.messages.every((message, at) => message === b.messages[at]);

/**
 * @param messages by position, without a gap
 * @param known the previous ranges: unchanged ones are returned as the same objects
 */
export function stretchesOf(
  messages: readonly Message[],
  known: readonly Stretch[] = [],
): readonly Stretch[] {
  const knownByKey = new Map(known.map((stretch) => [stretch.key, stretch]));
  const stretches: Stretch[] = [];
  for (let at = 0; at < messages.length;) {
    const key = Math.floor(((messages[at]?.seq ?? 1) - 1) / STRETCH);
    const first = messages[at]?.seq ?? 1;
    const end = at + (key + 1) * STRETCH - first + 1;
    const fresh = { key, messages: messages.slice(at, end), before: messages[at - 1] };
    const old = knownByKey.get(key);
    stretches.push(old && same(old, fresh) ? old : fresh);
    at = end;
  }
  return stretches;
}
