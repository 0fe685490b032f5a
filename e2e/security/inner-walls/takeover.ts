/**
 * The takeover drill: tries the credentials of each process at broker, internal ports, Redis and PostgreSQL, and
 * compares their reach with the tables in docs/security.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROKER_USERS, type BrokerUser } from '@karaar/contracts/broker/rights';
import { PUBLISHERS } from '@karaar/contracts/names';
import { REDIS_USERS } from '@karaar/contracts/redis/rights';
import { natsPasswords, natsUrlOf } from '@karaar/testing/backing/nats';
import { backingPaths } from '@karaar/testing/backing/paths';
import { redisPasswords, redisUrlOf } from '@karaar/testing/backing/redis';
import { cloneRoot } from '@karaar/testing/roots';
import type { Finding, ProductCheck, Target } from '../check.ts';
import { processesOf, running } from './running.ts';
import { roleUrl } from './tables.ts';
import { tryBroker, type AtBroker } from './takeover/broker.ts';
import { openedBy, wronglyCalled } from './takeover/internal-ports.ts';
import {
  environmentLine,
  heldBy,
  secretWords,
  sharedWrongly,
  type Environments,
} from './takeover/environment.ts';
import { tryPostgres, tryRedis } from './takeover/stores.ts';

/** URLs with the credentials of one user; undefined where it has none. */
export type Credentials = { broker: string; redis: string | undefined; database: string | undefined };
export type Reach = {
  user: BrokerUser;
  broker: AtBroker;
  /** Routes at the internal ports of others. */
  calls: readonly string[];
  redis: string[];
  databases: string[];
};

export async function reachOf(
  user: BrokerUser,
  { broker, redis, database }: Credentials,
  calls: readonly string[] = [],
): Promise<Reach> {
  return {
    user,
    broker: await tryBroker(broker, user),
    calls,
    redis: redis === undefined ? [] : await tryRedis(redis),
    databases: database === undefined ? [] : await tryPostgres(database),
  };
}

const notInTable = (line: string, text: string): string[] =>
  text.split('\n').some((row) => row.replaceAll(/ +/g, ' ') === line)
    ? []
    : [`docs/security.md lacks this row: ${line}`];

/** Finds secrets in wrong environments, and differences from the table of environments. */
export const environmentFindings = (all: Environments, text: string): Finding[] =>
  [...all.keys()].flatMap((name) => {
    const held = heldBy(name, all);
    const whats = [...sharedWrongly(held), ...notInTable(environmentLine(name, held), text)];
    return whats.map((what) => ({ where: `environment of ${name}`, what }));
  });

/** The sandbox is left out: it has the providers' side of the credentials. */
async function environmentsOf({ inside }: Target): Promise<Environments> {
  const all = await running();
  const names = Object.keys(inside.services).filter((name) => name !== 'sandbox');
  return new Map(
    names.sort().map((name) => {
      const [one] = processesOf(name, inside, all);
      if (!one) throw new Error(`the process of ${name} was not found`);
      return [name, one.environment];
    }),
  );
}

/** Returns the row of the table. */
export function lineOf({ user, broker, calls, redis, databases }: Reach): string {
  // `auth.find-user` of `rpc.auth.find-user.v1`.
  const asks = broker.asks.map((subject) => subject.split('.').slice(1, 3).join('.'));
  const cells = [asks, calls, broker.says, broker.reads, redis, databases];
  return `| ${[user, ...cells.map((words) => words.join(', ') || '–')].join(' | ')} |`;
}

/** Finds rights that no service may have, and differences from the table of credentials. */
export const findingsOf = (reaches: readonly Reach[], text: string): Finding[] =>
  reaches.flatMap((reach) => {
    const { user, broker, calls, databases } = reach;
    const allowed = user === 'broker-admin' ? /^(CREATE|UPDATE|DELETE) / : /^$/;
    const whats = [
      ...broker.forges.map((subject) => `may send the request ${subject}, which is not in its name`),
      ...broker.hears.map((subject) => `may subscribe to ${subject}`),
      ...broker.takes.map((consumer) => `may take messages of the consumer ${consumer}`),
      ...wronglyCalled(user, calls).map((route) => `may call ${route} without a contract`),
      ...broker.shapes.filter((shape) => !allowed.test(shape)).map((shape) => `may reach a stream: ${shape}`),
      ...broker.says
        .filter((service) => service !== user)
        .map((service) => `may publish events of ${service}`),
      ...databases.filter((name) => name !== `karaar_${user}`).map((name) => `may open the database ${name}`),
      ...notInTable(lineOf(reach), text),
    ];
    return whats.map((what) => ({ where: `credentials of ${user}`, what }));
  });

async function drill(target: Target): Promise<Finding[]> {
  const { inside } = target;
  const paths = backingPaths(inside.stateDir);
  const environments = await environmentsOf(target);
  const callsOf = (name: string) => openedBy(secretWords(environments.get(name)), inside.inner, name);
  const reaches: Reach[] = [];
  for (const user of BROKER_USERS) {
    const inRedis = REDIS_USERS.find((name) => name === user);
    const credentials = {
      broker: natsUrlOf(inside.natsUrl, user, natsPasswords(paths)),
      redis: inRedis && redisUrlOf(inside.redisUrl, inRedis, redisPasswords(paths)),
      database: PUBLISHERS.some((name) => name === user) ? roleUrl({ inside }, user) : undefined,
    };
    reaches.push(await reachOf(user, credentials, await callsOf(user)));
  }
  const found = (await openedBy([undefined], inside.inner)).map((route) => ({
    where: 'internal ports',
    what: `${route} opens without a secret`,
  }));
  for (const name of environments.keys())
    if (!BROKER_USERS.some((user) => user === name))
      for (const route of wronglyCalled(name, await callsOf(name)))
        found.push({ where: `environment of ${name}`, what: `may call ${route} without a contract` });
  const text = readFileSync(join(cloneRoot, 'docs/security.md'), 'utf8');
  return [...found, ...findingsOf(reaches, text), ...environmentFindings(environments, text)];
}

export const takeover: ProductCheck = {
  name: 'takeover',
  holds: 'the credentials of each process give only the rights in docs/security.md',
  run: drill,
};
