import type { Header } from '../http/security-headers.ts';
import type { AnswerHeaders } from '../lines/answer-head.ts';

/** Belongs to the connection to the service, says what runs there, or is written by the gateway itself. */
const DROPPED = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'server',
  'x-powered-by',
  'x-request-id',
];
const DROP = -1;

/** What is to be done with a header of a service: drop it, or leave out the default of that place. */
type Rules = ReadonlyMap<string, number>;

const known = new WeakMap<readonly Header[], Rules>();

function rulesOf(defaults: readonly Header[]): Rules {
  let rules = known.get(defaults);
  if (rules === undefined) {
    rules = new Map([
      ...DROPPED.map((name) => [name, DROP] as const),
      ...defaults.map(([name], place) => [name, place] as const),
    ]);
    known.set(defaults, rules);
  }
  return rules;
}

/**
 * The header list for the browser, as flat name/value pairs: the service's own headers first, then
 * each default that the service did not set itself.
 * @param defaults 31 at most; the same list for all answers of a kind
 */
export function responseHeaders(
  headers: Readonly<AnswerHeaders>,
  requestId: string,
  defaults: readonly Header[],
): string[] {
  const out: string[] = ['x-request-id', requestId];
  const rules = rulesOf(defaults);
  let own = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const rule = rules.get(name);
    if (rule === DROP) continue;
    if (rule !== undefined) own |= 1 << rule;
    out.push(name, headers[at + 1] ?? '');
  }
  for (let place = 0; place < defaults.length; place += 1) {
    const header = defaults[place];
    if (header !== undefined && (own & (1 << place)) === 0) out.push(header[0], header[1]);
  }
  return out;
}
