import { createDb, inTransaction, type Db } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { tidyBlobs } from './janitor.ts';
import { createBlobStore, type BlobStore } from './store.ts';
import { fsPlace, ring, s3Place, type TestPlace } from './testing/stores.ts';
import { takeBack } from './unnamed.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let db: Db<{ files: { path: string } }>;
let place: TestPlace;
let store: BlobStore;

beforeAll(async () => {
  database = await testPostgres('blobs-unnamed');
  db = createDb({ url: database.url, applicationName: 'blobs-unnamed' });
  await sql`CREATE TABLE files (path text NOT NULL)`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  place = await fsPlace();
  store = createBlobStore(place.config(ring('k1')));
});
afterEach(() => place.close());

const put = async () => (await store.put('owner', Buffer.from('bytes'))).path;
const named = async (paths: readonly string[]) =>
  (await db.selectFrom('files').select('path').where('path', 'in', paths).execute()).map(({ path }) => path);
const left = async () => {
  const paths: string[] = [];
  for await (const { path } of store.list()) paths.push(path);
  return paths.sort();
};
const records = () => ({ db, blobs: store, named, logger });

describe('the files of a failed transaction', () => {
  it('are removed if the error shows that nothing was committed', async () => {
    await takeBack(records(), new Error('refused'), [await put(), await put()]);
    expect(await left()).toEqual([]);
  });

  it('stay if rows name them, whatever failed, and so does their owner', async () => {
    const [kept, gone] = [await put(), await put()];
    await db.insertInto('files').values({ path: kept }).execute();
    await takeBack(records(), new Error('after the commit'), [kept, gone], 'owner');
    expect(await left()).toEqual([kept]);
  });

  it('are removed with their owner if no row names any of them', async () => {
    const [known, unknown] = [await put(), await put()];
    await takeBack(records(), undefined, [known], 'owner');
    expect(await left()).toEqual([]);
    await expect(store.stat(unknown)).rejects.toMatchObject({ code: 'blob_not_found' });
  });

  it('stay if rows name them after a lost connection', async () => {
    const [kept, gone] = [await put(), await put()];
    await db.insertInto('files').values({ path: kept }).execute();
    await takeBack(records(), broken, [kept, gone]);
    expect(await left()).toEqual([kept]);
  });

  it('are not checked before a transaction that may still commit has ended', async () => {
    const path = await put();
    let commit = (): void => undefined;
    let begun = (): void => undefined;
    const inserted = new Promise<void>((resolve) => (begun = resolve));
    const open = inTransaction(db, async (tx) => {
      await tx.insertInto('files').values({ path }).execute();
      begun();
      await new Promise<void>((resolve) => (commit = resolve));
    });
    await inserted;
    const taken = takeBack(records(), broken, [path]);
    setTimeout(() => commit(), 500);
    await Promise.all([open, taken]);
    expect(await left()).toEqual([path]);
  });

  it('stay while the database does not answer', async () => {
    const path = await put();
    const away = { ...records(), named: () => Promise.reject(broken) };
    await takeBack(away, broken, [path]);
    expect(await left()).toEqual([path]);
  });
});

describe.each([
  { name: 'files', open: fsPlace },
  { name: 'S3', open: s3Place },
])('the janitor of $name', ({ name, open }) => {
  beforeEach(async () => {
    await place.close();
    place = await open();
    store = createBlobStore(place.config(ring('k1')));
  });
  const tidy = (change: Partial<Parameters<typeof tidyBlobs>[0]> = {}) =>
    tidyBlobs({ blobs: store, named, logger, removes: true, olderThanMs: -HOUR_MS, ...change });

  it('removes old orphaned blobs only', async () => {
    const [kept, gone] = [await put(), await put()];
    await db.insertInto('files').values({ path: kept }).execute();
    // The S3 stub reports every object as old.
    if (name === 'files') expect(await tidy({ olderThanMs: HOUR_MS })).toEqual([]);
    expect(await tidy({ removes: false })).toEqual([gone]);
    expect(await left()).toEqual([kept, gone].sort());
    expect(await tidy()).toEqual([gone]);
    expect(await left()).toEqual([kept]);
  });

  it('removes nothing if so many blobs are orphaned that rows must be missing', async () => {
    for (let i = 0; i < 101; i += 1) await put();
    expect(await tidy()).toHaveLength(101);
    expect(await left()).toHaveLength(101);
  });
});
