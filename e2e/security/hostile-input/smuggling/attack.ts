/** Sends framings one after the other, each followed by ordinary requests of others, and says what should not have come. */
import { setTimeout as sleep } from 'node:timers/promises';
import { answersIn, openWire, type WireAnswer } from '@karaar/testing/http-wire';
import { hiddenRequest, type Attacker, type Framing } from './framing.ts';

/** What went wrong, from worst to least. */
export const KINDS = [
  'foreign answer',
  'ordinary request failed',
  'reached the service',
  'second answer',
  'not refused',
] as const;
export type Kind = (typeof KINDS)[number];
export type Fault = { kind: Kind; what: string };
export type Broken = Fault & { framing: string };

export type Battlefield = {
  /** Of the gateway. */
  url: string;
  attacker: Attacker;
  /** Ordinary requests of signed-in users, each over the upstream connections that the attack has used. */
  ordinary: () => Promise<Fault[]>;
  /** Why an answer to the attacker is not the attacker's own; undefined when it is. */
  foreignIn: (answer: WireAnswer) => string | undefined;
  /** What reached the service since the last framing and should not have. */
  behind?: (framing: Framing, id: string, nameOf: (id: string) => string) => Fault[];
};

export type AttackCounters = {
  framings: number;
  /** For which the time did not suffice. */
  untried: number;
  broken: Broken[];
  seconds: number;
};

const ANSWER_MS = 500;
const CLOSE_MS = 400;
/** Rightly silent ones are waited for no longer than a second answer would take. */
const SILENCE_MS = 25;
const BETWEEN_PARTS_MS = 3;
const RECOVERIES = 4;
/** A gateway that has given a service up asks it again after a second. */
const RECOVERY_PAUSE_MS = 300;
/** Attackers come from an address of their own, so that what bounds them bounds nobody else. */
const FROM = '127.0.0.2';

/** @param deadline in milliseconds since the epoch: from then on framings are left untried */
export async function attack(
  field: Battlefield,
  framings: readonly Framing[],
  deadline: number,
): Promise<AttackCounters> {
  const broken: Broken[] = [];
  const started = Date.now();
  let tried = 0;
  for (const [number, framing] of framings.entries()) {
    if (Date.now() > deadline) break;
    tried += 1;
    const faults = await tryOne(field, framing, number, framings);
    for (const fault of faults) broken.push({ framing: framing.name, ...fault });
    // What one framing has left behind is not the next one's fault.
    for (let times = 0; faults.length > 0 && times < RECOVERIES; times += 1) {
      await sleep(RECOVERY_PAUSE_MS);
      const still = await field.ordinary();
      field.behind?.(framing, idOf(number), () => '');
      if (still.length === 0) break;
    }
  }
  const seconds = (Date.now() - started) / 1_000;
  return { framings: framings.length, untried: framings.length - tried, broken, seconds };
}

const idOf = (number: number): string => `a${number}z`;

async function tryOne(
  field: Battlefield,
  framing: Framing,
  number: number,
  all: readonly Framing[],
): Promise<Fault[]> {
  const id = idOf(number);
  const ground = { ...field.attacker, id, hidden: hiddenRequest(number, field.attacker, id) };
  const wire = await openWire(field.url, FROM);
  try {
    for (const [at, part] of framing.parts(ground).entries()) {
      if (at > 0) await sleep(BETWEEN_PARTS_MS);
      wire.write(part);
    }
    if (framing.ends) wire.end();
    const read = () =>
      answersIn(wire.received, { firstHasNoBody: framing.isHead, ended: wire.isClosed }).answers;
    if (framing.waits) {
      await wire.until(() => wire.isClosed, SILENCE_MS);
      // As long as it waits it may hold a connection to the service.
      wire.close();
    } else {
      const answered = await wire.until(() => wire.isClosed || read().length > 0, ANSWER_MS);
      if (!answered) wire.close();
    }
    const faults = await field.ordinary();
    if (framing.refused && !framing.waits) await wire.until(() => wire.isClosed, CLOSE_MS);
    const answers = read();
    for (const answer of answers) {
      const foreign = field.foreignIn(answer);
      if (foreign !== undefined) faults.push({ kind: 'foreign answer', what: `the attacker got ${foreign}` });
    }
    if (answers.length > framing.answers)
      faults.push({
        kind: 'second answer',
        what: `${answers.length} answers (${answers.map(({ status }) => status).join(', ')})`,
      });
    if (framing.refused && !framing.waits) faults.push(...notRefused(answers, wire.isClosed));
    const nameOf = (other: string) => all[Number(other.slice(1, -1))]?.name ?? other;
    return [...faults, ...(field.behind?.(framing, id, nameOf) ?? [])];
  } finally {
    wire.close();
  }
}

function notRefused([first]: readonly WireAnswer[], isClosed: boolean): Fault[] {
  const isRefusal = first === undefined || isRefusing(first.status);
  if (isRefusal && isClosed) return [];
  const what = isRefusal ? 'the connection stays open' : `answered ${first.status}`;
  return [{ kind: 'not refused', what }];
}

const isRefusing = (status: number): boolean =>
  (status >= 400 && status < 500) || status === 501 || status === 505;

/** A line for each kind with the framings that did it, the first of them by name; none when everything held. */
export function told(
  { broken, framings, untried }: AttackCounters,
  named = 12,
): { where: string; what: string }[] {
  const lines = KINDS.flatMap((kind) => {
    const ofKind = broken.filter((one) => one.kind === kind);
    const count = new Set(ofKind.map(({ framing }) => framing)).size;
    if (count === 0) return [];
    const first = ofKind.slice(0, named).map(({ framing, what }) => ({ where: `${kind}, ${framing}`, what }));
    return [{ where: kind, what: `${ofKind.length} by ${count} framings` }, ...first];
  });
  if (untried > 0)
    lines.push({ where: 'time', what: `${untried} of ${framings} framings could not be tried` });
  return lines;
}

/** Every so many of each family, and of each at least one: for a look that takes seconds. */
export function someOf(all: readonly Framing[], every: number): Framing[] {
  const seen = new Map<string, number>();
  return all.filter(({ family: of }) => {
    const count = seen.get(of) ?? 0;
    seen.set(of, count + 1);
    return count % every === 0;
  });
}
