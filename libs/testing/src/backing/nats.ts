import { join } from 'node:path';
import { natsRights, rightsVariable } from '@karaar/contracts/broker/nats-conf';
import { BROKER_USERS, type BrokerUser } from '@karaar/contracts/broker/rights';
import type { Part } from '../processes/part.ts';
import { askPort } from '../processes/ports.ts';
import type { BackingPaths } from './paths.ts';
import { startServer } from './server-program.ts';

/** The passwords of the account `main`, stored with the other secrets of the state directory. */
export const natsPasswords =
  (paths: BackingPaths) =>
  (user: BrokerUser | 'launcher'): string =>
    paths.secret(`nats-${user}`);

/**
 * Starts nats-server with JetStream; its streams are on disk under the state directory.
 *
 * @param isolated number of extra accounts `t0`, `t1`, … (password = the account's name), each with its own
 * streams and subjects, so that test files on one server are isolated
 */
export function startNats(paths: BackingPaths, isolated: number): Promise<Part> {
  const passwordOf = natsPasswords(paths);
  return startServer(paths, {
    name: 'nats',
    program: 'nats-server',
    args: ['-c'],
    url: (port) => `nats://launcher:${passwordOf('launcher')}@127.0.0.1:${port}`,
    config: ({ listenHost, port, dir }) =>
      natsConfig({ listen: `${listenHost}:${port}`, storeDir: join(dir, 'streams'), isolated, passwordOf }),
    probe: async (port) => {
      const info = await askPort(port, '');
      if (!info.startsWith('INFO ') || !info.includes('"jetstream":true'))
        throw new Error('JetStream is not ready yet');
    },
  });
}

/**
 * Returns the server's configuration file. The account `main` has the users of the contracts, and `launcher`
 * with all rights, for the start tool and tests. Isolated accounts are alike: `t0` has all rights,
 * `t0-wallet` those of the wallet.
 */
export function natsConfig({
  listen,
  storeDir,
  isolated,
  passwordOf,
}: {
  listen: string;
  storeDir: string;
  isolated: number;
  passwordOf: (user: BrokerUser | 'launcher') => string;
}): string {
  const account = (
    name: string,
    all: string,
    prefix: string,
    password: (user: BrokerUser | 'launcher') => string,
  ) => {
    const users = BROKER_USERS.map(
      (user) =>
        `{ user: ${prefix}${user}, password: ${JSON.stringify(password(user))}, permissions: $${rightsVariable(user)} }`,
    );
    const everything = `{ user: ${all}, password: ${JSON.stringify(password('launcher'))} }`;
    return `  ${name}: { jetstream: enabled, users: [\n    ${[everything, ...users].join('\n    ')}\n  ] }`;
  };
  const names = Array.from({ length: isolated }, (_, index) => `t${index}`);
  return [
    `listen: "${listen}"`,
    `jetstream: { store_dir: ${JSON.stringify(storeDir)} }`,
    'max_payload: 1MB',
    natsRights(),
    'accounts: {',
    account('main', 'launcher', '', passwordOf),
    ...names.map((name) => account(name, name, `${name}-`, () => name)),
    '}',
    '',
  ].join('\n');
}

/**
 * Returns the broker's URL for one of the contracts' users.
 *
 * @param url of `launcher` or of an isolated account; the URL of any other broker is returned unchanged
 */
export function natsUrlOf(url: string, user: BrokerUser, passwordOf: (user: BrokerUser) => string): string {
  const own = new URL(url);
  if (own.username === 'launcher') [own.username, own.password] = [user, passwordOf(user)];
  else if (/^t\d+$/.test(own.username)) own.username = `${own.username}-${user}`;
  else return url;
  return own.toString();
}
