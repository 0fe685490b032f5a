import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startBacking, type Backing } from './backing.ts';
import { ensureDatabases } from './databases.ts';
import { scratch } from '../scratch.ts';

const { dir, remove } = scratch();
let backing: Backing;
beforeAll(async () => {
  backing = await startBacking({ stateDir: dir, only: ['postgres'], durable: false, env: {} });
}, 120_000);
afterAll(async () => {
  await backing.stop({ remove: true });
  remove();
});

async function enter(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
}

async function connect(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create table if not exists mine (id int)');
  } finally {
    await client.end();
  }
}

it('the log contains no values, neither of a rejected unique key nor of a slow or failed statement', async () => {
  const phone = '+919812345678';
  const client = new pg.Client({ connectionString: backing.postgresUrl });
  await client.connect();
  const refused = (text: string, values: unknown[]) =>
    client.query(text, values).then(
      () => 'done',
      (error: Error) => error.message,
    );
  try {
    await client.query('create table people (phone text unique)');
    await client.query('set log_min_duration_statement = 0');
    expect(await refused('insert into people values ($1)', [phone])).toBe('done');
    expect(await refused('insert into people values ($1)', [phone])).toMatch(/people_phone_key/);
    expect(await refused('select 1 / length($1::text) / 0', [phone])).toMatch(/division by zero/);
  } finally {
    await client.end();
  }
  const log = readFileSync(join(dir, 'logs', 'postgres.log'), 'utf8');
  expect(log).toContain('insert into people values ($1)');
  expect(log).not.toContain(phone);
});

describe('ensureDatabases', () => {
  it('creates databases that only their own roles may use, and creates them once', async () => {
    const wanted = [
      { name: 'karaar_wallet', password: 'one', runtimePassword: 'two' },
      { name: 'karaar_auth', password: "t'hree", runtimePassword: "f'our" },
    ];
    const first = await ensureDatabases(backing.postgresUrl, wanted);
    const again = await ensureDatabases(backing.postgresUrl, wanted);
    expect(again).toEqual(first);
    await connect(first['karaar_wallet']?.owner ?? '');
    await connect(first['karaar_auth']?.owner ?? '');
    const foreign = new URL(first['karaar_wallet']?.owner ?? '');
    foreign.pathname = '/karaar_auth';
    await expect(connect(foreign.toString())).rejects.toThrow('permission denied for database');
    const runtime = new URL(first['karaar_wallet']?.runtime ?? '');
    await expect(connect(runtime.toString())).rejects.toThrow('permission denied for schema public');
    runtime.pathname = '/karaar_auth';
    await expect(connect(runtime.toString())).rejects.toThrow('permission denied for database');
  });

  it.each(['owner', 'runtime'] as const)('applies a changed password of the %s', async (role) => {
    const wanted = { name: 'karaar_cms', password: 'before', runtimePassword: 'before' };
    const old = await ensureDatabases(backing.postgresUrl, [wanted]);
    const next = await ensureDatabases(backing.postgresUrl, [
      { ...wanted, password: 'after', runtimePassword: 'after' },
    ]);
    await enter(next['karaar_cms']?.[role] ?? '');
    await expect(enter(old['karaar_cms']?.[role] ?? '')).rejects.toThrow('password authentication failed');
  });
});
