/** Sends framings one by one, each followed by ordinary requests of other users, and returns the faults. */
import { setTimeout as sleep } from 'node:timers/promises';
import { answersIn, openWire, type WireAnswer } from '@karaar/testing/http-wire';
import type { Finding } from '../../check.ts';

/** The values from which the bytes of an attack are made. */
export type Ground = {
  host: string;
  /** The attacker's own token. */
  token: string;
  /** Marks the attack's requests at the services. */
  id: string;
  /** A request for the service behind the gateway. */
  hidden: string;
};

/** The allowed outcomes. */
export type Bounds = {
  /** Two parsers could disagree: the gateway must refuse it (4xx, 501 or 505) and close the connection. */
  refused: boolean;
  /** The most final responses on the attacker's connection. */
  answers: number;
  /** The request is a HEAD: the response has no body. */
  isHead: boolean;
  /** The gateway correctly waits for more bytes; the attacker disconnects instead. */
  waits: boolean;
  /** The attacker closes the sending side after the bytes. */
  ends: boolean;
};

export type Framing = Bounds & {
  /** Unique: the family and the bytes. */
  name: string;
  family: string;
  /** In Latin-1; each part is a separate write. */
  parts: (ground: Ground) => readonly string[];
};

/** A gateway under attack. Faults begin with their kind: `foreign answer: …`. */
export type Field = {
  url: string;
  /** The attacker's own token. */
  token: string;
  /** Ordinary requests of signed-in users over the same upstream connections as the attack. Returns faults. */
  ordinary: () => Promise<string[]>;
  /** Names the content of an answer to the attacker that belongs to another user. */
  foreignIn: (answer: WireAnswer) => string | undefined;
  /** Returns the faults in the requests that reached the service since the last call. */
  behind?: (framing: Framing, id: string) => string[];
};

const ANSWER_MS = 500;
const CLOSE_MS = 400;
/** As long as a second answer would take. */
const SILENCE_MS = 25;
const BETWEEN_PARTS_MS = 3;
const RECOVERIES = 4;
/** The gateway retries a failed service after a second. */
const RECOVERY_PAUSE_MS = 300;
/** Another address than that of the ordinary users, so that rate limits on the attacker do not affect them. */
const FROM = '127.0.0.2';

export async function attack(field: Field, framings: readonly Framing[], forMs: number): Promise<Finding[]> {
  const deadline = Date.now() + forMs;
  const found: Finding[] = [];
  for (const [number, framing] of framings.entries()) {
    if (Date.now() > deadline) {
      const untried = `${framings.length - number} of ${framings.length} framings were not tried`;
      return [...found, { where: 'time', what: untried }];
    }
    const id = `a${number}z`;
    const faults = await tryOne(field, framing, number, id);
    const named = (text: string) =>
      text.replaceAll(/\ba(\d+)z\b/g, (mark, of: string) => framings[Number(of)]?.name ?? mark);
    found.push(...faults.map((fault) => ({ where: framing.name, what: named(fault) })));
    // Otherwise the next framing would get the blame for a broken connection.
    for (let times = 0; faults.length > 0 && times < RECOVERIES; times += 1) {
      await sleep(RECOVERY_PAUSE_MS);
      const still = await field.ordinary();
      field.behind?.(framing, id);
      if (still.length === 0) break;
    }
  }
  return found;
}

async function tryOne(field: Field, framing: Framing, number: number, id: string): Promise<string[]> {
  const known = { host: new URL(field.url).host, token: field.token, id };
  const wire = await openWire(field.url, FROM);
  try {
    for (const [at, part] of framing.parts({ ...known, hidden: hiddenRequest(number, known) }).entries()) {
      if (at > 0) await sleep(BETWEEN_PARTS_MS);
      wire.write(part);
    }
    if (framing.ends) wire.end();
    const read = () =>
      answersIn(wire.received, { firstHasNoBody: framing.isHead, ended: wire.isClosed }).answers;
    const answered = () => wire.isClosed || (!framing.waits && read().length > 0);
    // While the gateway waits for more bytes, it may hold a connection to the service.
    if (!(await wire.until(answered, framing.waits ? SILENCE_MS : ANSWER_MS))) wire.close();
    const faults = await field.ordinary();
    if (framing.refused && !framing.waits) await wire.until(() => wire.isClosed, CLOSE_MS);
    const answers = read();
    const statuses = answers.map(({ status }) => status);
    for (const answer of answers) {
      const foreign = field.foreignIn(answer);
      if (foreign !== undefined) faults.push(`foreign answer: the attacker got ${foreign}`);
    }
    if (answers.length > framing.answers) faults.push(`second answer: ${statuses.join(', ')}`);
    if (framing.refused && !framing.waits) {
      const [status = 400] = statuses;
      if (status < 400 || (status >= 500 && status !== 501 && status !== 505))
        faults.push(`not refused: answered ${status}`);
      else if (!wire.isClosed) faults.push('not refused: the connection stays open');
    }
    return [...faults, ...(field.behind?.(framing, id) ?? [])];
  } finally {
    wire.close();
  }
}

/** Three requests to routes that clients cannot reach, and one that takes the next user's request as its body. */
function hiddenRequest(number: number, { host, token, id }: Omit<Ground, 'hidden'>): string {
  const named = `HTTP/1.1\r\nhost: ${host}\r\nx-hidden: ${id}\r\n`;
  const swallow = '{"receiver_id":"00000000-0000-4000-8000-000000000000","content":"';
  const signed = `authorization: Bearer ${token}\r\ncontent-type: application/json`;
  const hidden = [
    `GET /metrics ${named}x-rest: `,
    `GET /internal/check ${named}x-rest: `,
    `POST /messaging/send ${named}${signed}\r\ncontent-length: 900\r\n\r\n${swallow}`,
    `GET /metrics ${named}\r\n`,
  ];
  return hidden[number % hidden.length] ?? '';
}

/** Every n-th framing of each family, and at least one. */
export function someOf(all: readonly Framing[], every: number): Framing[] {
  const seen = new Map<string, number>();
  return all.filter(({ family }) => {
    const count = seen.get(family) ?? 0;
    seen.set(family, count + 1);
    return count % every === 0;
  });
}
