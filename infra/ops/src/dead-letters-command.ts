/** `karaar dead-letters list|retry|drop`. */
import { parseArgs } from 'node:util';
import { UsageError, withBroker, type Command, type Env } from '@karaar/bus/commands';
import { databasesOf, SERVICES } from './databases.ts';
import {
  dropLetters,
  findLetters,
  retryLetters,
  type Letter,
  type Retried,
  type Which,
} from './dead-letters.ts';

const USAGE = [
  'dead-letters list [--service NAME] [--handler NAME] [--event ID]',
  'dead-letters retry [--service NAME] [--handler NAME] [--event ID], with NATS_URL set',
  'dead-letters drop --service NAME --event ID [--handler NAME]',
].join('\n');

/** An operator does not read more lines. */
const MOST_LINES = 200;

/** @throws UsageError for wrong arguments, and with the results if a letter failed again */
export const deadLetters: Command['run'] = async ([verb, ...args], env) => {
  const work = verb === undefined ? undefined : VERBS.get(verb);
  if (!work) throw new UsageError(USAGE);
  return work(env, whichOf(args));
};

function whichOf(args: string[]): Which {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { service: text, handler: text, event: text } });
  if (values.service !== undefined && !SERVICES.some((name) => name === values.service))
    throw new UsageError(`--service is one of ${SERVICES.join(', ')}`);
  return values;
}

const lineOf = ({ service, handler, event_id, subject, deliveries, created_at, reason }: Letter): string =>
  `${service} ${handler} ${event_id} ${subject}, ${deliveries} tries, since ${created_at.toISOString()}: ${reason}`;

const report = (lines: string[], end: string): string => {
  const more = lines.length > MOST_LINES ? [`… and ${lines.length - MOST_LINES} more`] : [];
  return [...lines.slice(0, MOST_LINES), ...more, end].join('\n');
};

async function list(env: Env, which: Which): Promise<string> {
  const letters = await findLetters(databasesOf(env), which);
  return report(letters.map(lineOf), `${letters.length} dead letters`);
}

const WORDS: Record<Retried['outcome'], string> = {
  applied: 'applied',
  gone: 'gone meanwhile',
  failed: 'STAYS',
  unhandled: 'STAYS, no handler of this name',
  away: 'STAYS, the service does not answer',
};

async function retry(env: Env, which: Which): Promise<string> {
  const databases = databasesOf(env);
  const retried = await withBroker(env, async (bus) =>
    retryLetters(bus, await findLetters(databases, which)),
  );
  // A letter that failed again has a new reason.
  const left = await findLetters(databases, which);
  const lines = retried.map(({ letter, outcome }) => {
    const now = left.find((one) => one.event_id === letter.event_id && one.handler === letter.handler);
    return `${WORDS[outcome]}: ${lineOf(now ?? letter)}`;
  });
  const applied = retried.filter(({ outcome }) => outcome === 'applied').length;
  const stay = retried.filter(({ outcome }) => outcome !== 'applied' && outcome !== 'gone').length;
  const text = report(lines, `${applied} applied, ${stay} stay`);
  if (stay > 0) throw new UsageError(text);
  return text;
}

async function drop(env: Env, { service, event, handler }: Which): Promise<string> {
  const database = databasesOf(env).find((one) => one.service === service);
  if (!database || event === undefined) throw new UsageError(USAGE);
  const dropped = await dropLetters(database, { event, handler });
  if (dropped.length === 0) throw new UsageError(`${database.service} keeps no such dead letter.`);
  return dropped.map((letter) => `dropped for ${letter.handler}: ${letter.message}`).join('\n');
}

const VERBS: ReadonlyMap<string, (env: Env, which: Which) => Promise<string>> = new Map([
  ['list', list],
  ['retry', retry],
  ['drop', drop],
]);
