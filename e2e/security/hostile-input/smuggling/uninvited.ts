/** Which of the requests at a service nobody was allowed to make. */
import type { Fault } from './attack.ts';
import type { Framing } from './framing.ts';
import type { Recorded } from './recorder.ts';

/** Entries that no client has. */
const INSIDE = /^\/+(metrics|internal|healthz|readyz)(\/|$)/;

/**
 * Requests that are neither the framing's own nor an ordinary one.
 * @param ordinary marks of the ordinary requests; all of them must have come
 */
export function uninvited(
  requests: readonly Recorded[],
  framing: Framing,
  id: string,
  ordinary: readonly string[],
  nameOf: (id: string) => string,
): Fault[] {
  const faults: Fault[] = [];
  const note = (what: string) => void faults.push({ kind: 'reached the service', what });
  const counts = new Map<string, number>();
  for (const { method, url, headers } of requests) {
    const mark = /[?&]mark=([ao]\d+z)/.exec(url)?.[1] ?? '';
    counts.set(mark, (counts.get(mark) ?? 0) + 1);
    const hidden = headers['x-hidden'];
    if (typeof hidden === 'string') note(`the hidden request of ${nameOf(hidden)}: ${method} ${url}`);
    else if (INSIDE.test(resolved(url))) note(`${method} ${url}`);
    else if (mark === '') note(`a request that has no sender: ${method} ${url.slice(0, 80)}`);
    if (!/^127\.0\.0\.\d+$/.test(String(headers['x-forwarded-for'])))
      note(`the address ${String(headers['x-forwarded-for'])} as the sender's`);
  }
  for (const mark of ordinary)
    // A safe one whose connection was gone is sent once more.
    if (counts.get(mark) === undefined) note(`nothing of an ordinary request`);
  for (const [mark, count] of counts) {
    const most = mark === id ? framing.answers : ordinary.includes(mark) ? 2 : 0;
    if (mark !== '' && count > most) note(`${mark} ${count} times`);
  }
  return faults;
}

/** The path as it is where dots are resolved, which no service of ours does. */
const resolved = (url: string): string =>
  new URL((url.split(/[?#]/)[0] ?? '').replaceAll('\\', '/'), 'http://service').pathname;
