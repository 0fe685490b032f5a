import pg from 'pg';
import { startBacking, type Backing } from './backing.ts';
import { ensureDatabases } from './databases.ts';
import { scratch } from './testing/scratch.ts';

const { dir, remove } = scratch();
let backing: Backing;
beforeAll(async () => {
  backing = await startBacking({ stateDir: dir, only: ['postgres'], durable: false, env: {} });
}, 120_000);
afterAll(async () => {
  await backing.stop({ remove: true });
  remove();
});

async function connect(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table if not exists mine (id int)');
  await client.end();
}

describe('ensureDatabases', () => {
  it('makes databases that only their own role may use, and makes them once', async () => {
    const wanted = [
      { name: 'karaar_wallet', password: 'one' },
      { name: 'karaar_auth', password: "t'wo" },
    ];
    const first = await ensureDatabases(backing.postgresUrl, wanted);
    const again = await ensureDatabases(backing.postgresUrl, wanted);
    expect(again).toEqual(first);
    await connect(first['karaar_wallet'] ?? '');
    await connect(first['karaar_auth'] ?? '');
    const foreign = new URL(first['karaar_wallet'] ?? '');
    foreign.pathname = '/karaar_auth';
    await expect(connect(foreign.toString())).rejects.toThrow('permission denied');
  });

  it('follows a password that has changed', async () => {
    const [before, after] = ['before', 'after'];
    const old = await ensureDatabases(backing.postgresUrl, [{ name: 'karaar_cms', password: before }]);
    const next = await ensureDatabases(backing.postgresUrl, [{ name: 'karaar_cms', password: after }]);
    await connect(next['karaar_cms'] ?? '');
    await expect(connect(old['karaar_cms'] ?? '')).rejects.toThrow('password authentication failed');
  });
});
