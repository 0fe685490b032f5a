import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { afterCommit, assertOutsideTransaction, createDb, inTransaction, type Db } from './index.ts';

type Schema = { counter: { id: number; value: number } };
let database: TestDatabase;
let db: Db<Schema>;

beforeAll(async () => {
  database = await testPostgres('transaction');
  db = createDb({ url: database.url, max: 4, applicationName: 'transaction-test' });
  await sql`create table counter (id int primary key, value int not null)`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  await sql`truncate counter`.execute(db);
  await sql`insert into counter values (1, 0), (2, 0)`.execute(db);
});

const value = async (id: number) =>
  (await db.selectFrom('counter').select('value').where('id', '=', id).executeTakeFirstOrThrow()).value;
const add = (tx: Db<Schema>, id: number, by: number) =>
  tx
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', by) }))
    .where('id', '=', id)
    .execute();

describe('inTransaction', () => {
  it('commits when the callback returns and rolls back when it throws', async () => {
    await expect(inTransaction(db, async (tx) => (await add(tx, 1, 5), 'done'))).resolves.toBe('done');
    await expect(
      inTransaction(db, async (tx) => {
        await add(tx, 1, 7);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await value(1)).toBe(5);
  });

  it('rejects nesting', async () => {
    await expect(inTransaction(db, () => inTransaction(db, async () => 1))).rejects.toThrow(
      /inside a transaction/,
    );
    await expect(inTransaction(db, (tx) => inTransaction(tx as Db<Schema>, async () => 1))).rejects.toThrow(
      /given a transaction/,
    );
  });

  it('rejects a query on the pool instead of the transaction, and rolls back', async () => {
    const run = inTransaction(db, async (tx) => {
      await add(tx, 1, 1);
      await add(db, 2, 1);
    });
    await expect(run).rejects.toThrow(/pool was used inside a transaction/);
    expect([await value(1), await value(2)]).toEqual([0, 0]);
  });

  it('lets work that outlives the transaction use the pool', async () => {
    let late: Promise<number> | undefined;
    const committed = Promise.withResolvers<undefined>();
    await inTransaction(db, async (tx) => {
      await add(tx, 1, 1);
      late = committed.promise.then(() => value(1));
    });
    committed.resolve(undefined);
    await expect(late).resolves.toBe(1);
  });

  it('makes code throw that must run outside a transaction', async () => {
    expect(() => assertOutsideTransaction('A call')).not.toThrow();
    await expect(inTransaction(db, async () => assertOutsideTransaction('A call'))).rejects.toThrow(
      'A call inside a transaction',
    );
  });

  it('runs hooks after the commit, and not after a rollback', async () => {
    const seen: string[] = [];
    await inTransaction(db, async (tx) => {
      afterCommit(() => seen.push('after'));
      await add(tx, 1, 1);
      seen.push('inside');
    });
    expect(seen).toEqual(['inside', 'after']);
    await inTransaction(db, async () => {
      afterCommit(() => seen.push('never'));
      throw new Error('no');
    }).catch(() => undefined);
    expect(seen).toEqual(['inside', 'after']);
    expect(() => afterCommit(() => undefined)).toThrow(/needs inTransaction/);
  });

  /** Two transactions that read both counters and write one each: one of them must fail. */
  const skew = async (retries: number) => {
    let runs = 0;
    const bothRead = Promise.withResolvers<undefined>();
    const move = (id: number) =>
      inTransaction(
        db,
        async (tx) => {
          const rows = await tx.selectFrom('counter').select('value').execute();
          runs += 1;
          // Neither writes before both have read; otherwise they might not overlap.
          if (runs >= 2) bothRead.resolve(undefined);
          await bothRead.promise;
          await add(tx, id, 1 + rows.reduce((sum, row) => sum + row.value, 0));
        },
        { isolation: 'serializable', retries },
      );
    const results = await Promise.allSettled([move(1), move(2)]);
    return { runs, failed: results.filter((result) => result.status === 'rejected').length };
  };

  it('repeats nothing by default', async () => {
    expect(await skew(0)).toEqual({ runs: 2, failed: 1 });
  });

  it('repeats after a serialization failure if requested', async () => {
    expect(await skew(3)).toEqual({ runs: 3, failed: 0 });
    expect((await value(1)) + (await value(2))).toBe(3);
  });
});
