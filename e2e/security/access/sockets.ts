/** The app's socket: nobody gets in without a user's token, and whatever is said there brings nothing down. */
import type { Finding, ProductCheck, Target } from '../check.ts';
import { insideOf } from '../hostile-input/fuzz.ts';
import { NASTY_TEXTS } from '../hostile-input/inputs.ts';

/** A socket from outside, packet by packet as engine.io writes them. */
export type Wire = {
  say(packet: string | Uint8Array): void;
  /** The next packet that begins so; undefined when the socket closes or nothing comes in time. */
  next(beginning: string): Promise<string | undefined>;
  readonly isOpen: boolean;
  close(): void;
};
export type Connect = (url: string) => Promise<Wire>;

const PATIENCE_MS = 5_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';
/** As long as an id, of its letters, and none. */
const DASHES = '-'.repeat(36);
const COMMANDS = ['typing', 'delivered', 'watch', 'join', 'constructor', '__proto__', 'disconnect', ''];
/** What no page sends: invalid packets, names without data, binary parts that never come, too much. */
// prettier-ignore
const GARBAGE: readonly (string | Uint8Array)[] = [
  '', '4', '42', '42[', '42{}', '42[]', '42[null]', '42[{}]', '4299999999999999999["watch"]', '40', '40{"token":', '41',
  '45', '451-["watch",{"_placeholder":true,"num":0}]', '459999-["watch"]', '46', '49', '5', '6', '9',
  '42/admin,["watch",{"user_ids":[]}]', `420["watch",${'['.repeat(2_000)}${']'.repeat(2_000)}]`,
  `420["watch",{"user_ids":["${'x'.repeat(20_000)}"]}]`, new Uint8Array([0, 255, 1]),
];

export const connectWire: Connect = async (url) => {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const packets: string[] = [];
  let waiting: (() => void) | undefined;
  let open = true;
  socket.addEventListener('message', ({ data }) => {
    packets.push(String(data));
    waiting?.();
  });
  socket.addEventListener('close', () => {
    open = false;
    waiting?.();
  });
  // Its 'close' follows, which says all that matters here.
  socket.addEventListener('error', () => undefined);
  return {
    get isOpen() {
      return open;
    },
    say: (packet) => {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(typeof packet === 'string' ? packet : new Uint8Array(packet));
    },
    next: async (beginning) => {
      const end = Date.now() + PATIENCE_MS;
      for (;;) {
        const found = packets.findIndex((packet) => packet.startsWith(beginning));
        if (found !== -1) return packets.splice(found, 1)[0];
        if (!open || Date.now() >= end) return undefined;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, end - Date.now());
          waiting = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    close: () => socket.close(),
  };
};

/** @returns the socket, and whether it was let in */
async function enter(
  target: Target,
  connect: Connect,
  token: unknown,
): Promise<{ wire: Wire; isIn: boolean }> {
  const wire = await connect(target.url);
  if ((await wire.next('0')) === undefined) return { wire, isIn: false };
  wire.say(`40${JSON.stringify(token === undefined ? {} : { token })}`);
  const answer = await wire.next('4');
  return { wire, isIn: answer?.startsWith('40') ?? false };
}

async function nobodies(target: Target, connect: Connect): Promise<Finding[]> {
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"sub":"${NOBODY}"}`).toString('base64url')}.`;
  const tokens: Record<string, unknown> = {
    'without a token': undefined,
    'with an empty token': '',
    'with an object as token': { toString: 'x' },
    'with alg:none': none,
    "with an admin's token": await target.token('admin'),
  };
  const found: Finding[] = [];
  for (const [where, token] of Object.entries(tokens)) {
    const { wire, isIn } = await enter(target, connect, token);
    if (isIn) found.push({ where: `a socket ${where}`, what: 'was let in' });
    wire.close();
  }
  return found;
}

/** Each command with each nasty text, a few on one socket: who says more is closed as a flood. */
async function nastyTalk(target: Target, connect: Connect, token: string | undefined): Promise<Finding[]> {
  const found = new Map<string, Finding>();
  const note = (where: string, what: string) => void found.set(where + what, { where, what });
  for (const name of COMMANDS) {
    const { wire, isIn } = await enter(target, connect, token);
    if (!isIn) note(`the socket for ${name}`, 'was not let in');
    const data = [
      null,
      [],
      {},
      ...NASTY_TEXTS.slice(0, 20).map((text) => ({ to: text, from: text, user_ids: [text] })),
      { to: DASHES, from: DASHES, user_ids: [DASHES], typing: true, up_to_seq: 1 },
      { from: NOBODY, up_to_seq: 2 ** 40 },
    ];
    data.forEach((value, id) => wire.say(`42${id}${JSON.stringify([name, value])}`));
    // The server does not answer an unknown event name; the socket stays open, which the last request checks.
    wire.say(`42900${JSON.stringify(['watch', { user_ids: [] }])}`);
    const last = await wire.next('43900');
    // Closing the socket is a correct answer as well: no page of ours sends this.
    if (last === undefined && wire.isOpen) note(`after ${name}`, 'the socket answers nothing any more');
    for (const id of data.keys()) {
      const answer =
        COMMANDS.indexOf(name) < 3 && last !== undefined ? await wire.next(`43${id}[`) : undefined;
      if (answer?.includes('"ok":true')) note(name, `takes ${JSON.stringify(data[id]).slice(0, 60)}`);
      if (answer?.includes('"internal"')) note(name, `fails at ${JSON.stringify(data[id]).slice(0, 60)}`);
      const inside = answer === undefined ? undefined : insideOf(answer);
      if (inside !== undefined) note(name, `tells of its inside (${inside})`);
    }
    wire.close();
  }
  return [...found.values()];
}

/** Says what no page says, each on a socket of its own; then an ordinary one has to work, and the product. */
async function garbage(target: Target, connect: Connect, token: string | undefined): Promise<Finding[]> {
  for (const packet of GARBAGE) {
    const { wire } = await enter(target, connect, token);
    wire.say(packet);
    wire.say('2');
    await wire.next('3');
    wire.close();
  }
  const { wire } = await enter(target, connect, token);
  wire.say('421["watch",{"user_ids":[]}]');
  const answer = await wire.next('431');
  wire.close();
  const health = (await (await fetch(`${target.url}/api/health`)).json()) as { status?: string };
  return [
    ...(answer?.includes('"ok":true') ? [] : [{ where: 'afterwards', what: 'a socket is not answered' }]),
    ...(health.status === 'ok'
      ? []
      : [{ where: 'afterwards', what: `the product is ${String(health.status)}` }]),
  ];
}

export async function trySockets(target: Target, connect: Connect): Promise<Finding[]> {
  const token = await target.token('user');
  return [
    ...(await nobodies(target, connect)),
    ...(await nastyTalk(target, connect, token)),
    ...(await garbage(target, connect, token)),
  ];
}

export const sockets: ProductCheck = {
  name: 'sockets',
  needsPages: true,
  holds: 'the socket lets in users only, refuses what it does not understand, and goes on',
  run: (target) => trySockets(target, connectWire),
};
