/** The slow clients: uploads that are idle or send one byte per second, and reconnect forever. */
import { setMaxListeners } from 'node:events';
import { connect } from 'node:net';

/** Slow uploads: from one address without a token, and from several addresses with the token of one user. */
export type Attack = {
  port: number;
  token: string;
  strangers: number;
  signedIn: number;
  signal: AbortSignal;
};
export type SlowCounts = {
  /** Open connections with an unfinished upload. */
  open: number;
  /** All connections so far; a refused or closed one is opened again after a second. */
  opened: number;
  /** Answers by status; `cut` counts connections that were closed without an answer. */
  answers: Record<string, number>;
};

/** The address of all clients without a token. */
const STRANGERS = '127.0.0.2';
/** The addresses of the signed-in user, so many that a limit per address does not apply. */
const places = Array.from({ length: 20 }, (_, at) => `127.0.0.${100 + at}`);
const AGAIN_MS = 1_000;
/** A listening socket accepts a limited number at once. */
const STARTS_PER_TICK = 50;
const TICK_MS = 20;

type Upload = [method: string, path: string, type: string, length: number];

const FORM = 'multipart/form-data; boundary=x';
const JSON_TYPE = 'application/json';
const OPEN_TO_ALL: readonly Upload[] = [
  ['POST', '/auth/register', FORM, 900_000],
  ['POST', '/auth/login', JSON_TYPE, 900],
  ['POST', '/wallet/razorpay-webhook', JSON_TYPE, 900],
  // A webhook sends no form, but the gateway treated one as a long request.
  ['POST', '/wallet/razorpay-webhook', FORM, 900],
  ['POST', '/verify', FORM, 900_000],
];
const OF_USERS: readonly Upload[] = [
  ['POST', '/documents/create', FORM, 900_000],
  ['PUT', '/users/profile', FORM, 900_000],
  ['POST', '/messaging/send', JSON_TYPE, 900],
];

const counts: SlowCounts = { open: 0, opened: 0, answers: {} };
const note = (what: string) => void (counts.answers[what] = (counts.answers[what] ?? 0) + 1);

/** @param idle sends only the head; otherwise one byte per second follows */
function start(attack: Attack, from: string, upload: Upload, token: string | undefined, idle: boolean): void {
  const { port, signal } = attack;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, signal });
  let answered = false;
  let timer: NodeJS.Timeout | undefined;
  socket.on('connect', () => {
    counts.open += 1;
    counts.opened += 1;
    const [method, path, type, length] = upload;
    const lines = [
      `${method} /api${path} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      `content-type: ${type}`,
      `content-length: ${length}`,
      ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (!idle) timer = setInterval(() => socket.write('-'), 1_000);
    socket.on('close', () => (counts.open -= 1));
  });
  socket.on('data', (chunk) => {
    if (!answered) note(chunk.toString('latin1', 9, 12));
    answered = true;
    socket.destroy();
  });
  // 'close' follows.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    if (!answered) note('cut');
    if (!signal.aborted) setTimeout(() => start(attack, from, upload, token, idle), AGAIN_MS);
  });
}

/** Begins the uploads, which end with the signal. @returns their counts, which change */
export function startAll(attack: Attack): SlowCounts {
  setMaxListeners(Infinity, attack.signal);
  const of = (count: number, uploads: readonly Upload[], from: (at: number) => string, by?: string) =>
    Array.from({ length: count }, (_, at) => () => {
      const upload = uploads[at % uploads.length];
      if (upload !== undefined) start(attack, from(at), upload, by, at % 2 === 0);
    });
  const starts = [
    ...of(attack.strangers, OPEN_TO_ALL, () => STRANGERS),
    ...of(attack.signedIn, OF_USERS, (at) => places[at % places.length] ?? STRANGERS, attack.token),
  ];
  const timer = setInterval(() => {
    for (const begin of starts.splice(0, STARTS_PER_TICK)) begin();
    if (starts.length === 0) clearInterval(timer);
  }, TICK_MS);
  return counts;
}
