/** The users of NATS, Valkey and the sentinels in manifests and compose match the contracts. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { passwordVariable } from '@karaar/contracts/broker/nats-conf';
import { BROKER_USERS } from '@karaar/contracts/broker/rights';
import { REDIS_USERS, redisPasswordVariable } from '@karaar/contracts/redis/rights';
import { cloneRoot } from '@karaar/testing/roots';
import { createLogger } from '@karaar/observability/logging';
import { createRedis, type Redis } from '@karaar/storage/redis';
import { freePort } from '@karaar/testing/processes/ports';
import { until } from '@karaar/testing/until';
import { k8sFolder } from '../src/render.ts';
import { stateUsers } from '../src/state-users.ts';

const run = promisify(execFile);
const state = join(k8sFolder, 'components', 'state');
const folder = mkdtempSync(join(tmpdir(), 'karaar-state-'));
const started: ChildProcess[] = [];
afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null) continue;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
  rmSync(folder, { recursive: true });
});

it.each(Object.entries(stateUsers()))('%s matches the contracts', (name, text) => {
  expect(readFileSync(join(state, name), 'utf8')).toBe(text);
});

it('NATS accepts the users in compose', async () => {
  const home = join(folder, 'compose');
  mkdirSync(home);
  for (const file of [join(cloneRoot, 'infra/docker/nats.conf'), join(state, 'nats-users.conf')])
    writeFileSync(join(home, file.split('/').at(-1) ?? ''), readFileSync(file));
  const passwords = BROKER_USERS.map((user) => [passwordVariable(user), '"12e4567"']);
  const { stderr } = await run('nats-server', ['-t', '--config', join(home, 'nats.conf')], {
    env: { PATH: process.env['PATH'], ...(Object.fromEntries(passwords) as Record<string, string>) },
  });
  expect(stderr).toContain('is valid');
});

describe('Valkey', () => {
  let valkey: number;
  let sentinel: number;

  beforeAll(async () => {
    [valkey, sentinel] = [await freePort(), await freePort()];
    // As in the container, with local folders and addresses.
    const script = readFileSync(join(state, 'prepare.sh'), 'utf8')
      .replaceAll('/config/', `${state}/`)
      .replaceAll('/data/', `${folder}/`);
    const passwords = REDIS_USERS.map((user) => [
      redisPasswordVariable(user),
      `secret-of-${user},next-of-${user}`,
    ]);
    const env = {
      PATH: process.env['PATH'],
      POD_NAME: 'valkey-0',
      VALKEY_PASSWORDS: 'secret-of-all,next-of-all',
      ...(Object.fromEntries(passwords) as Record<string, string>),
    };
    await run('sh', ['-c', script], { env });
    for (const [name, port] of [
      ['valkey', valkey],
      ['sentinel', sentinel],
    ] as const) {
      const file = join(folder, `${name}.conf`);
      const text = readFileSync(file, 'utf8')
        .replace(/^port .*/m, `port ${port}\nbind 127.0.0.1`)
        .replace(/^dir .*/m, `dir ${folder}`)
        .replace('valkey-0.valkey 6379', `127.0.0.1 ${valkey}`);
      writeFileSync(file, text);
      const mode = name === 'sentinel' ? ['--sentinel'] : [];
      started.push(spawn('redis-server', [file, ...mode], { stdio: 'ignore' }));
    }
  });

  const as = (port: number, username: string, password = `secret-of-${username}`): Redis =>
    createRedis({
      url: `redis://${username}:${password}@127.0.0.1:${port}`,
      name: 'test',
      logger: createLogger({ name: 'test', level: 'silent' }),
    });

  it('lets a service only read sessions and ask a sentinel for the master', async () => {
    const wallet = as(valkey, 'wallet');
    await until('it answers', async () => (await wallet.get('session:1')) === null);
    await expect(wallet.set('session:1', 'active')).rejects.toThrow(/NOPERM/);
    wallet.disconnect();
    const asking = as(sentinel, 'wallet');
    await until('the sentinel answers', async () => {
      const master = await asking.call('sentinel', 'get-master-addr-by-name', 'karaar');
      return JSON.stringify(master) === JSON.stringify(['127.0.0.1', String(valkey)]);
    });
    for (const command of [
      ['set', 'karaar', 'quorum', '1'],
      ['failover', 'karaar'],
      ['remove', 'karaar'],
    ])
      await expect(asking.call('sentinel', ...command)).rejects.toThrow(/NOPERM/);
    asking.disconnect();
  }, 60_000);

  it('accepts both passwords of a user while they are rotated, and no other', async () => {
    for (const port of [valkey, sentinel])
      for (const [user, password, expected] of [
        ['wallet', 'next-of-wallet', 'PONG'],
        ['default', 'secret-of-all', 'PONG'],
        ['default', 'next-of-all', 'PONG'],
        ['wallet', 'secret-of-all', 'NOAUTH'],
        ['default', 'no-password', 'NOAUTH'],
      ] as const) {
        const { stdout } = await run('redis-cli', [
          '-p',
          `${port}`,
          '--no-auth-warning',
          '--user',
          user,
          '--pass',
          password,
          'ping',
        ]);
        expect(stdout).toContain(expected);
      }
  });
});
