/** `karaar dead-letters list|retry|drop`. */
import { parseArgs } from 'node:util';
import { retryDeadLetterRpc, type RetryOutcome } from '@karaar/contracts/dead-letters';
import type { Bus } from '@karaar/bus';
import { UsageError, withBroker, type Command, type Env } from '@karaar/bus/commands';
import { AppError } from '@karaar/base/errors';
import { sql, type RawBuilder } from 'kysely';
import { databasesOf, SERVICES, withDatabase } from './databases.ts';

const USAGE = [
  'dead-letters list [--service NAME] [--handler NAME] [--event ID]',
  'dead-letters retry [--service NAME] [--handler NAME] [--event ID], with NATS_URL set',
  'dead-letters drop --service NAME --event ID [--handler NAME]',
].join('\n');

/** An operator does not read more lines. */
const MOST_LINES = 200;

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

const matching = ({ handler, event }: Which): RawBuilder<boolean> => sql<boolean>`
  handler = coalesce(${handler ?? null}::text, handler) and event_id = coalesce(${event ?? null}::text, event_id)`;

type Letter = {
  service: string;
  event_id: string;
  handler: string;
  subject: string;
  /** The error; it names fields, never values. */
  reason: string;
  deliveries: number;
  created_at: Date;
};

/** Returns the letters, the oldest first within each service, which is the order of a retry. */
async function findLetters(env: Env, which: Which): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (const database of databasesOf(env)) {
    if (which.service !== undefined && database.service !== which.service) continue;
    const { rows } = await withDatabase(database, (db) =>
      sql<Letter>`
        select ${database.service}::text as service, event_id, handler, subject, reason, deliveries, created_at
        from dead_letter where ${matching(which)} order by created_at, event_id`.execute(db),
    );
    letters.push(...rows);
  }
  return letters;
}

const lineOf = ({ service, handler, event_id, subject, deliveries, created_at, reason }: Letter): string =>
  `${service} ${handler} ${event_id} ${subject}, ${deliveries} tries, since ${created_at.toISOString()}: ${reason}`;

const report = (lines: string[], end: string): string => {
  const more = lines.length > MOST_LINES ? [`… and ${lines.length - MOST_LINES} more`] : [];
  return [...lines.slice(0, MOST_LINES), ...more, end].join('\n');
};

async function list(env: Env, which: Which): Promise<string> {
  const letters = await findLetters(env, which);
  return report(letters.map(lineOf), `${letters.length} dead letters`);
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
  const outcomes = new Map<Letter, RetryOutcome | 'away'>();
  await withBroker(env, async (bus) => {
    const away = new Set<string>();
    for (const letter of await findLetters(env, which)) {
      const outcome = away.has(letter.service) ? 'away' : await retryLetter(bus, letter);
      if (outcome === 'away') away.add(letter.service);
      outcomes.set(letter, outcome);
    }
  });
  // A letter that failed again has a new reason.
  const left = await findLetters(env, which);
  const lines = [...outcomes].map(([letter, outcome]) => {
    const now = left.find((one) => one.event_id === letter.event_id && one.handler === letter.handler);
    return `${WORDS[outcome]}: ${lineOf(now ?? letter)}`;
  });
  const applied = [...outcomes.values()].filter((outcome) => outcome === 'applied').length;
  const stay = lines.filter((line) => line.startsWith('STAYS')).length;
  const text = report(lines, `${applied} applied, ${stay} stay`);
  if (stay > 0) throw new UsageError(text);
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
  if (!database || which.event === undefined) throw new UsageError(USAGE);
  const { rows } = await withDatabase(database, (db) =>
    sql<{ handler: string; message: string }>`
      delete from dead_letter where ${matching(which)} returning handler, message`.execute(db),
  );
  if (rows.length === 0) throw new UsageError(`${database.service} keeps no such dead letter.`);
  return rows.map(({ handler, message }) => `dropped for ${handler}: ${message}`).join('\n');
}

const VERBS = new Map([
  ['list', list],
  ['retry', retry],
  ['drop', drop],
]);
