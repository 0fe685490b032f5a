/** `karaar dead-letters list|retry|drop`. */
import { parseArgs } from 'node:util';
import { retryDeadLetterRpc, type RetryOutcome } from '@karaar/contracts/dead-letters';
import { forgetDeadLetters, keptLetters, type Bus, type KeptLetter } from '@karaar/bus';
import { UsageError, withBroker, type Command, type Env } from '@karaar/bus/commands';
import { AppError } from '@karaar/base/errors';
import { databasesOf, SERVICES, withDatabase } from './databases.ts';

const USAGE = [
  'dead-letters list [--service NAME] [--handler NAME] [--event ID]',
  'dead-letters retry [--service NAME] [--handler NAME] [--event ID], with NATS_URL set',
  'dead-letters drop --service NAME --event ID [--handler NAME]',
].join('\n');

/** @throws UsageError for wrong arguments, and with the results if a letter failed again */
export const deadLetters: Command['run'] = async ([verb = '', ...args], env) => {
  const work = VERBS.get(verb);
  if (!work) throw new UsageError(USAGE);
  return work(env, whichOf(args));
};

/** A filter; a missing field matches all letters. */
type Which = ReturnType<typeof whichOf>;

function whichOf(args: string[]) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { service: text, handler: text, event: text } });
  if (values.service !== undefined && !SERVICES.some((name) => name === values.service))
    throw new UsageError(`--service is one of ${SERVICES.join(', ')}`);
  return values;
}

type Letter = KeptLetter & { service: string };

/** Returns the letters, the oldest first within each service, which is the order of a retry. */
async function findLetters(env: Env, which: Which): Promise<Letter[]> {
  const databases = databasesOf(env).filter(({ service }) => (which.service ?? service) === service);
  const found = databases.map(async (database) => {
    const { letters } = await withDatabase(database, (db) => keptLetters(db, which));
    return letters.map((letter) => ({ service: database.service, ...letter }));
  });
  return (await Promise.all(found)).flat();
}

const lineOf = ({ service, handler, event_id, subject, deliveries, created_at, reason }: Letter): string =>
  `${service} ${handler} ${event_id} ${subject}, ${deliveries} tries, since ${created_at.toISOString()}: ${reason}`;

async function list(env: Env, which: Which): Promise<string> {
  const letters = await findLetters(env, which);
  return [...letters.map(lineOf), `${letters.length} dead letters`].join('\n');
}

const WORDS: Record<RetryOutcome | 'away', string> = {
  applied: 'applied',
  gone: 'gone meanwhile',
  failed: 'STAYS',
  unhandled: 'STAYS, no handler of this name',
  away: 'STAYS, the service does not answer',
};

/** Asks the running services to apply letters again, one by one. Skips a service after it did not answer. */
async function retry(env: Env, which: Which): Promise<string> {
  const lines: string[] = [];
  await withBroker(env, async (bus) => {
    const away = new Set<string>();
    for (const letter of await findLetters(env, which)) {
      const { service, handler, event_id: event } = letter;
      const outcome = away.has(service) ? 'away' : await retryLetter(bus, letter);
      if (outcome === 'away') away.add(service);
      // A letter that failed again has a new reason.
      const [now = letter] = outcome === 'failed' ? await findLetters(env, { service, handler, event }) : [];
      lines.push(`${WORDS[outcome]}: ${lineOf(now)}`);
    }
  });
  const count = (word: string) => lines.filter((line) => line.startsWith(word)).length;
  const text = [...lines, `${count('applied')} applied, ${count('STAYS')} stay`].join('\n');
  if (count('STAYS') > 0) throw new UsageError(text);
  return text;
}

async function retryLetter(bus: Bus, { service, handler, event_id }: Letter): Promise<RetryOutcome | 'away'> {
  try {
    return (await bus.request(retryDeadLetterRpc(service), { handler, event_id })).outcome;
  } catch (error) {
    if (error instanceof AppError && error.status === 503) return 'away';
    throw error;
  }
}

/** Deletes letters of one service, and prints each with its event, so that the operator can keep it. */
async function drop(env: Env, which: Which): Promise<string> {
  const database = databasesOf(env).find((one) => one.service === which.service);
  const { handler, event } = which;
  if (!database || event === undefined) throw new UsageError(USAGE);
  const rows = await withDatabase(database, (db) => forgetDeadLetters(db, { handler, event }));
  if (rows.length === 0) throw new UsageError(`${database.service} keeps no such dead letter.`);
  return rows.map(({ handler, message }) => `dropped for ${handler}: ${message}`).join('\n');
}

const VERBS = new Map([
  ['list', list],
  ['retry', retry],
  ['drop', drop],
]);
