/**
 * The takeover drill: the credentials of one service after the other, tried at broker, internal ports, Redis and
 * PostgreSQL. What they reach is compared with the table in docs/security.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BROKER_USERS, type BrokerUser } from '@karaar/contracts/broker/rights';
import { PUBLISHERS } from '@karaar/contracts/names';
import { REDIS_USERS } from '@karaar/contracts/redis/rights';
import { natsPasswords, natsUrlOf } from '@karaar/testing/backing/nats';
import { backingPaths } from '@karaar/testing/backing/paths';
import { redisPasswords, redisUrlOf } from '@karaar/testing/backing/redis';
import type { Finding, ProductCheck, Target } from '../check.ts';
import { processesOf, running } from './running.ts';
import { roleUrl } from './tables.ts';
import { tryBroker, type AtBroker } from './takeover/broker.ts';
import { callableBy, openToAll, wronglyCalled } from './takeover/internal-ports.ts';
import { environmentLine, heldBy, sharedWrongly, type Environments } from './takeover/environment.ts';
import { moversOfMoney } from './takeover/money.ts';
import { tryPostgres, tryRedis } from './takeover/stores.ts';

/** Where one user's credentials lead; undefined where it has none. */
export type Credentials = { broker: string; redis: string | undefined; database: string | undefined };
export type Reach = {
  user: BrokerUser;
  broker: AtBroker;
  /** Routes at the internal ports of others. */
  calls: string[];
  redis: string[];
  databases: string[];
};

const document = fileURLToPath(new URL('../../../docs/security.md', import.meta.url));
const ENVIRONMENT_HEAD = '| environment of | secrets in it |';
const HEAD =
  '| credentials of | may ask | may call over HTTP | may say events of | reads events | in Redis may | may open |';

export async function reachOf(
  user: BrokerUser,
  given: Credentials,
  calls: readonly string[] = [],
): Promise<Reach> {
  return {
    user,
    broker: await tryBroker(given.broker, user),
    calls: [...calls],
    redis: given.redis === undefined ? [] : await tryRedis(given.redis),
    databases: given.database === undefined ? [] : await tryPostgres(given.database),
  };
}

/** What the environments give away that they should not, and what differs from the table of them. */
export function environmentFindings(all: Environments, text: string): Finding[] {
  const table = new Set(text.split('\n').map((line) => line.replaceAll(/ +/g, ' ')));
  return [...all.keys()].flatMap((name) => {
    const held = heldBy(name, all);
    const line = environmentLine(name, held);
    const whats = [
      ...sharedWrongly(held),
      ...(table.has(line) ? [] : [`is not in docs/security.md as it was seen: ${line}`]),
    ];
    return whats.map((what) => ({ where: `environment of ${name}`, what }));
  });
}

/** The environments of the running product, without the sandbox, which stands for the providers. */
async function environmentsOf({ inside }: Target): Promise<Environments> {
  const all = await running();
  const names = Object.keys(inside.services)
    .filter((name) => name !== 'sandbox')
    .sort();
  return new Map(
    names.map((name) => {
      const [one] = processesOf(name, inside, all);
      if (!one) throw new Error(`the process of ${name} was not found`);
      return [name, one.environment];
    }),
  );
}

const list = (words: readonly string[]): string => (words.length === 0 ? '–' : words.join(', '));
/** `auth.find-user` of `rpc.auth.find-user.v1`. */
const short = (subject: string): string => subject.split('.').slice(1, 3).join('.');

/** A line of the table. */
export const lineOf = ({ user, broker, calls, redis, databases }: Reach): string => {
  const cells = [broker.asks.map(short), calls, broker.says, broker.reads, redis, databases];
  return `| ${[user, ...cells.map(list)].join(' | ')} |`;
};

/** What no single service may, whatever the table says; and what differs from the table. */
export function findingsOf(reaches: readonly Reach[], text: string): Finding[] {
  const table = new Set(text.split('\n').map((line) => line.replaceAll(/ +/g, ' ')));
  return reaches.flatMap((reach) => {
    const { user, broker, calls, databases } = reach;
    const where = `credentials of ${user}`;
    const line = lineOf(reach);
    const allowed = user === 'broker-admin' ? /^(CREATE|UPDATE|DELETE) / : /^$/;
    const whats = [
      ...broker.forges.map((subject) => `asks ${subject} in a name that is not its own`),
      ...broker.hears.map((subject) => `hears ${subject}`),
      ...broker.takes.map((consumer) => `takes the events of ${consumer}`),
      ...wronglyCalled(user, calls).map((route) => `calls ${route}, which no contract lets it`),
      ...broker.shapes.filter((shape) => !allowed.test(shape)).map((shape) => `reaches a stream: ${shape}`),
      ...broker.says.filter((service) => service !== user).map((service) => `says events of ${service}`),
      ...databases.filter((name) => name !== `karaar_${user}`).map((name) => `opens the database ${name}`),
      ...(table.has(line) ? [] : [`is not in docs/security.md as it was seen: ${line}`]),
    ];
    return whats.map((what) => ({ where, what }));
  });
}

/** Payments and wallet have their service credential; no other process may. */
async function moneyFindings(environments: Environments): Promise<Finding[]> {
  const port = environments.get('payments')?.['WALLET_INTERNAL_URL'];
  if (port === undefined) throw new Error('payments has no address of the internal port of wallet');
  const movers = await moversOfMoney(environments, port);
  if (!movers.includes('payments')) throw new Error('not even payments is let in by the wallet');
  return movers
    .filter((name) => name !== 'payments' && name !== 'wallet')
    .map((name) => ({ where: `environment of ${name}`, what: 'moves money' }));
}

async function drill(target: Target): Promise<Finding[]> {
  const { inside } = target;
  const paths = backingPaths(inside.stateDir);
  const environments = await environmentsOf(target);
  const reaches: Reach[] = [];
  for (const user of BROKER_USERS) {
    const inRedis = REDIS_USERS.find((name) => name === user);
    const credentials = {
      broker: natsUrlOf(inside.natsUrl, user, natsPasswords(paths)),
      redis: inRedis && redisUrlOf(inside.redisUrl, inRedis, redisPasswords(paths)),
      database: PUBLISHERS.some((name) => name === user) ? roleUrl({ inside }, user) : undefined,
    };
    reaches.push(await reachOf(user, credentials, await callableBy(user, environments, inside.inner)));
  }
  const open = (await openToAll(inside.inner)).map((route) => ({
    where: 'internal ports',
    what: `${route} opens without a secret`,
  }));
  if (process.env['WRITE_TAKEOVER'] === '1') {
    writeTable(HEAD, reaches.map(lineOf));
    writeTable(
      ENVIRONMENT_HEAD,
      [...environments.keys()].map((name) => environmentLine(name, heldBy(name, environments))),
    );
  }
  const text = readFileSync(document, 'utf8');
  return [
    ...open,
    ...findingsOf(reaches, text),
    ...environmentFindings(environments, text),
    ...(await moneyFindings(environments)),
  ];
}

/** Puts these lines in place of those below a table's head. */
function writeTable(head: string, seen: readonly string[]): void {
  const lines = readFileSync(document, 'utf8').split('\n');
  const from = lines.indexOf(head) + 2;
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  lines.splice(from, length, ...seen);
  writeFileSync(document, lines.join('\n'));
}

export const takeover: ProductCheck = {
  name: 'takeover',
  holds: 'the credentials of one service reach what docs/security.md says, and nobody else’s words or tables',
  run: drill,
};
