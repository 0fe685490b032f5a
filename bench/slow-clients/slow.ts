/** The slow clients, in a process of their own: uploads that are idle or bring a byte a second, and never give up. */
import { connect } from 'node:net';
import type { Counts, Order } from './protocol.ts';

/** Whom all strangers are. */
const STRANGERS = '127.0.0.2';
/** Where the signed-in user is: in many places, so that no bound per address helps. */
const places = Array.from({ length: 20 }, (_, at) => `127.0.0.${100 + at}`);
const AGAIN_MS = 1_000;
/** Not all in the same turn: a listening socket takes so many at once. */
const STARTS_PER_TICK = 50;
const TICK_MS = 20;

type Upload = { method: string; path: string; type: string; length: number };

const FORM = 'multipart/form-data; boundary=x';
/** What anybody may call with a body. */
const OPEN_TO_ALL: readonly Upload[] = [
  { method: 'POST', path: '/auth/register', type: FORM, length: 900_000 },
  { method: 'POST', path: '/auth/login', type: 'application/json', length: 900 },
  { method: 'POST', path: '/wallet/razorpay-webhook', type: 'application/json', length: 900 },
  // A form is what no webhook sends: it was taken for a long request all the same.
  { method: 'POST', path: '/wallet/razorpay-webhook', type: FORM, length: 900 },
  { method: 'POST', path: '/verify', type: FORM, length: 900_000 },
];
const OF_USERS: readonly Upload[] = [
  { method: 'POST', path: '/documents/create', type: FORM, length: 900_000 },
  { method: 'PUT', path: '/users/profile', type: FORM, length: 900_000 },
  { method: 'POST', path: '/messaging/send', type: 'application/json', length: 900 },
];

const counts: Counts = { open: 0, opened: 0, answers: {} };
const note = (what: string) => void (counts.answers[what] = (counts.answers[what] ?? 0) + 1);

/** @param idle sends the head and nothing more; else a byte a second */
function start(port: number, from: string, upload: Upload, token: string | undefined, idle: boolean): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let answered = false;
  let timer: NodeJS.Timeout | undefined;
  socket.on('connect', () => {
    counts.open += 1;
    counts.opened += 1;
    const lines = [
      `${upload.method} /api${upload.path} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      `content-type: ${upload.type}`,
      `content-length: ${upload.length}`,
      ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (!idle) timer = setInterval(() => socket.write('-'), 1_000);
    socket.on('close', () => (counts.open -= 1));
  });
  socket.on('data', (chunk) => {
    if (!answered) note(chunk.toString('latin1', 9, 12));
    answered = true;
    // It has its answer; whoever is refused comes again.
    socket.destroy();
  });
  // Its 'close' follows.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    if (!answered) note('cut');
    setTimeout(() => start(port, from, upload, token, idle), AGAIN_MS);
  });
}

function startAll({ port, token, strangers, signedIn }: Extract<Order, { kind: 'attack' }>): void {
  const starts = [
    ...Array.from({ length: strangers }, (_, at) => () => {
      const upload = OPEN_TO_ALL[at % OPEN_TO_ALL.length];
      if (upload !== undefined) start(port, STRANGERS, upload, undefined, at % 2 === 0);
    }),
    ...Array.from({ length: signedIn }, (_, at) => () => {
      const upload = OF_USERS[at % OF_USERS.length];
      if (upload !== undefined)
        start(port, places[at % places.length] ?? STRANGERS, upload, token, at % 2 === 0);
    }),
  ];
  const timer = setInterval(() => {
    for (const begin of starts.splice(0, STARTS_PER_TICK)) begin();
    if (starts.length === 0) clearInterval(timer);
  }, TICK_MS);
}

process.on('message', (order: Order) => {
  if (order.kind === 'attack') startAll(order);
  else process.send?.(counts);
});
// The benchmark is gone, in whatever way.
process.on('disconnect', () => process.exit());
process.send?.('ready');
