/** Cuts a long conversation into stretches, so that only those near the view need to be in the page. */
import type { Message } from '@karaar/contracts/messaging/http';

/** Messages of a stretch: some screens of a phone are never more than a few of them. */
export const STRETCH = 25;

export type Stretch = {
  /** The same for the same places, whatever is known besides. */
  key: number;
  messages: readonly Message[];
  /** The message before the first one, when it is known. */
  before: Message | undefined;
};

const same = (a: Stretch, b: Stretch) =>
  a.before === b.before &&
  a.messages.length === b.messages.length &&
  a.messages.every((message, at) => message === b.messages[at]);

/**
 * @param messages by place, without a gap
 * @param known the stretches of a moment ago: those in which nothing has changed are answered as they were
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
