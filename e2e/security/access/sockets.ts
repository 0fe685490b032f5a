/** Attacks the app's socket with hostile commands and with invalid packets. */
import { until } from '@karaar/testing/until';
import { brokenAfter, type Finding, type ProductCheck, type Target } from '../check.ts';
import { internalsIn } from '../hostile-input/fuzz.ts';
import { NASTY_TEXTS } from '../hostile-input/inputs.ts';

/** A socket that sends and receives the packets of engine.io. */
export type Wire = {
  say(packet: string | Uint8Array<ArrayBuffer>): void;
  /** Returns the next packet with this beginning; undefined if the socket closes or 5 s pass. */
  next(beginning: string): Promise<string | undefined>;
  readonly isOpen: boolean;
  close(): void;
};
export type Connect = (url: string) => Wire;

const LIMIT_MS = 5_000;
const NO_USER = '00000000-0000-4000-8000-000000000000';
/** As long as an id and of the same characters, but not an id. */
const DASHES = '-'.repeat(36);
const ANSWERED = ['typing', 'delivered', 'watch'];
const COMMANDS = [...ANSWERED, 'join', 'constructor', '__proto__', 'disconnect', ''];
/** Invalid packets, events without data, announced binary parts that never come, and oversized data. */
// prettier-ignore
const GARBAGE: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '', '4', '42', '42[', '42{}', '42[]', '42[null]', '42[{}]', '4299999999999999999["watch"]', '40', '40{"token":', '41',
  '45', '451-["watch",{"_placeholder":true,"num":0}]', '459999-["watch"]', '46', '49', '5', '6', '9',
  '42/admin,["watch",{"user_ids":[]}]', `420["watch",${'['.repeat(2_000)}${']'.repeat(2_000)}]`,
  `420["watch",{"user_ids":["${'x'.repeat(20_000)}"]}]`, new Uint8Array([0, 255, 1]),
];

const connectWire: Connect = (url) => {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const packets: string[] = [];
  socket.addEventListener('message', ({ data }) => void packets.push(String(data)));
  const isOpen = () => socket.readyState <= WebSocket.OPEN;
  return {
    get isOpen() {
      return isOpen();
    },
    say: (packet) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(packet);
    },
    next: async (beginning) => {
      const find = () => packets.findIndex((packet) => packet.startsWith(beginning));
      // A packet that does not come is a result as well.
      await until(beginning, () => find() !== -1 || !isOpen(), LIMIT_MS).catch(() => undefined);
      return find() === -1 ? undefined : packets.splice(find(), 1)[0];
    },
    close: () => socket.close(),
  };
};

async function enter(url: string, connect: Connect, token?: string): Promise<{ wire: Wire; isIn: boolean }> {
  const wire = connect(url);
  if ((await wire.next('0')) === undefined) return { wire, isIn: false };
  wire.say(`40${JSON.stringify({ token })}`);
  const answer = await wire.next('4');
  return { wire, isIn: answer?.startsWith('40') ?? false };
}

/** Sends each command with each nasty value. The server closes a socket with many messages, so each command has its own. */
async function tryCommands(url: string, connect: Connect, token: string | undefined): Promise<Finding[]> {
  const found = new Map<string, Finding>();
  const note = (where: string, what: string) => void found.set(where + what, { where, what });
  const values = [
    null,
    [],
    {},
    ...NASTY_TEXTS.slice(0, 20).map((text) => ({ to: text, from: text, user_ids: [text] })),
    { to: DASHES, from: DASHES, user_ids: [DASHES], typing: true, up_to_seq: 1 },
    { from: NO_USER, up_to_seq: 2 ** 40 },
  ];
  for (const name of COMMANDS) {
    const { wire, isIn } = await enter(url, connect, token);
    if (!isIn) note(`the socket for ${name}`, 'was not let in');
    for (const [id, value] of values.entries()) wire.say(`42${id}${JSON.stringify([name, value])}`);
    // The server does not answer unknown commands. It answers this one, or has closed the socket.
    wire.say(`42900${JSON.stringify(['watch', { user_ids: [] }])}`);
    const last = await wire.next('43900');
    if (last === undefined && wire.isOpen) note(`after ${name}`, 'the socket answers nothing any more');
    if (last !== undefined && ANSWERED.includes(name))
      for (const [id, value] of values.entries()) {
        const answer = (await wire.next(`43${id}[`)) ?? '';
        const internals = internalsIn(answer);
        const sent = JSON.stringify(value).slice(0, 60);
        if (answer.includes('"ok":true')) note(name, `takes ${sent}`);
        if (answer.includes('"internal"')) note(name, `fails at ${sent}`);
        if (internals !== undefined) note(name, `sends internal details (${internals})`);
      }
    wire.close();
  }
  return [...found.values()];
}

/** Sends each invalid packet on a separate socket; then an ordinary socket must work. */
async function tryGarbage(url: string, connect: Connect, token: string | undefined): Promise<Finding[]> {
  for (const packet of GARBAGE) {
    const { wire } = await enter(url, connect, token);
    wire.say(packet);
    wire.say('2');
    await wire.next('3');
    wire.close();
  }
  const { wire } = await enter(url, connect, token);
  wire.say('421["watch",{"user_ids":[]}]');
  const answer = await wire.next('431');
  wire.close();
  return answer?.includes('"ok":true') ? [] : [{ where: 'afterwards', what: 'a socket is not answered' }];
}

export async function trySockets(target: Target, connect: Connect = connectWire): Promise<Finding[]> {
  const token = await target.token('user');
  return [
    ...(await tryCommands(target.url, connect, token)),
    ...(await tryGarbage(target.url, connect, token)),
    ...(await brokenAfter(target)),
  ];
}

export const sockets: ProductCheck = {
  name: 'sockets',
  needsPages: true,
  holds: 'the socket refuses invalid input and keeps working',
  run: (target) => trySockets(target),
};
