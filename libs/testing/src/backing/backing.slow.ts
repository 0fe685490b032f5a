import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { isAlive, processIdentity, waitGone } from '../machine/liveness.mjs';
import { startBacking, type Backing } from './backing.ts';
import { askPort } from '../processes/ports.ts';
import { killHard, launcher } from '../processes/launcher.ts';
import { scratch } from '../scratch.ts';

let dir: string;
let stateDir: string;
let remove: () => void;
let backing: Backing | undefined;
beforeEach(() => {
  // A folder that only its owner can enter, like a clone under /root.
  ({ dir, remove } = scratch());
  stateDir = join(dir, 'state');
});
afterEach(async () => {
  await backing?.stop({ remove: true });
  backing = undefined;
  remove();
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // tests below kill the server; the query's own error is checked
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const postgresOnly = { only: ['postgres'], env: {} } as const;
const cluster = (started: Backing): Promise<string> =>
  query(started.postgresUrl, 'show data_directory').then(
    ([row]) => (row as { data_directory: string }).data_directory,
  );

describe('startBacking', () => {
  it('starts PostgreSQL 18, NATS with JetStream and Redis with an append-only file, and leaves no process behind', async () => {
    backing = await startBacking({ stateDir, env: {} });
    const identities = backing.parts.map(({ pid }) => [pid, processIdentity(pid) ?? ''] as const);
    expect(
      await query(
        backing.postgresUrl,
        "select current_setting('server_version_num')::int / 10000 as major, current_setting('fsync') as fsync",
      ),
    ).toEqual([{ major: 18, fsync: 'on' }]);
    expect(await askPort(Number(new URL(backing.natsUrl).port), '')).toContain('"jetstream":true');
    const redis = new URL(backing.redisUrl);
    expect(await askPort(Number(redis.port), 'PING\r\n')).toContain('NOAUTH');
    expect(
      await askPort(Number(redis.port), `AUTH launcher ${redis.password}\r\nCONFIG GET appendonly\r\n`),
    ).toContain('yes');

    await backing.stop({ remove: true });
    expect(identities).toHaveLength(3);
    expect(identities.filter(([pid, identity]) => isAlive(pid, identity))).toEqual([]);
    expect(existsSync(stateDir)).toBe(false);
  });

  it('uses the URLs of the environment instead', async () => {
    const env = { DATABASE_URL: 'postgresql://h/d', NATS_URL: 'nats://h', REDIS_URL: 'redis://h' };
    backing = await startBacking({ stateDir, env });
    expect([backing.postgresUrl, backing.natsUrl, backing.redisUrl]).toEqual(Object.values(env));
    expect(backing.parts).toEqual([]);
  });

  it('keeps data over a stop and a start', async () => {
    backing = await startBacking({ stateDir, ...postgresOnly });
    await query(backing.postgresUrl, 'create table kept as select 7 as n');
    await backing.stop();
    backing = await startBacking({ stateDir, ...postgresOnly });
    expect(await query(backing.postgresUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('restarts with the data after the launcher was killed with everything running', async () => {
    const first = await launcher(
      dir,
      `const { startBacking } = await src('backing/backing.ts');
       const backing = await startBacking({ stateDir: ${JSON.stringify(stateDir)}, env: {} });
       report({ url: backing.postgresUrl, pids: backing.parts.map(({ pid }) => pid) });`,
    );
    const { url, pids } = first.reported as { url: string; pids: number[] };
    const identities = pids.map((pid) => [pid, processIdentity(pid) ?? ''] as const);
    await query(url, 'create table kept as select 7 as n');
    await killHard(first.process);
    backing = await startBacking({ stateDir, env: {} });
    expect(await query(backing.postgresUrl, 'select n from kept')).toEqual([{ n: 7 }]);
    for (const [pid, identity] of identities) expect(await waitGone(pid, identity, 5_000)).toBe(true);
  });

  it('recovers committed data after PostgreSQL was killed, on the same port', async () => {
    backing = await startBacking({ stateDir, ...postgresOnly });
    const { postgresUrl } = backing;
    await query(postgresUrl, 'create table kept as select 7 as n');
    backing.part('postgres').kill('SIGKILL');
    await backing.part('postgres').restart();
    expect(backing.postgresUrl).toBe(postgresUrl);
    expect(await query(postgresUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('waits for a session of the killed PostgreSQL that is slow to end', async () => {
    backing = await startBacking({ stateDir, ...postgresOnly });
    const session = new pg.Client({ connectionString: backing.postgresUrl });
    session.on('error', () => undefined); // it ends with its server, as this test intends
    await session.connect();
    const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    setTimeout(() => process.kill(pid, 'SIGCONT'), 1_500);
    backing.part('postgres').kill('SIGKILL');
    await backing.part('postgres').restart();
    expect(processIdentity(pid)).toBeUndefined();
    expect(await query(backing.postgresUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('ignores a lock file whose process id now belongs to another process', async () => {
    backing = await startBacking({ stateDir, ...postgresOnly });
    const lock = join(await cluster(backing), 'postmaster.pid');
    const lines = readFileSync(lock, 'utf8').split('\n');
    await backing.stop();
    writeFileSync(lock, [String(process.pid), ...lines.slice(1)].join('\n'));
    backing = await startBacking({ stateDir, ...postgresOnly });
    expect(await query(backing.postgresUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('ignores a half-made cluster whose maker was killed', async () => {
    backing = await startBacking({ stateDir, ...postgresOnly });
    const data = await cluster(backing);
    await backing.stop();
    renameSync(data, `${data}.new`);
    rmSync(join(`${data}.new`, 'PG_VERSION'));
    backing = await startBacking({ stateDir, ...postgresOnly });
    expect(await query(backing.postgresUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('rejects data of another version of PostgreSQL, and names its folder', async () => {
    backing = await startBacking({ stateDir, ...postgresOnly });
    const data = await cluster(backing);
    await backing.stop();
    writeFileSync(join(data, 'PG_VERSION'), '17\n');
    await expect(startBacking({ stateDir, ...postgresOnly })).rejects.toThrow(
      `${data} holds data of PostgreSQL 17`,
    );
  });
});
