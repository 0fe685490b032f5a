import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { equal } from '@karaar/proof/bytes';
import { leafHash, treeHasher, verifyConsistency, verifyInclusion } from '@karaar/proof/log/merkle';
import { parseCheckpoint, parseNote, verifyNote } from '@karaar/proof/log/note';
import { consistencyProof, inclusionProof } from '@karaar/proof/log/tiles';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { openLogIdentity, parseWitness } from './log-identity.ts';
import { findCommitment, latestCheckpoint, readEntries, tileReader } from './log.repository.ts';
import { entryOf, sequence } from './sequence.ts';
import { openDatabase, prepare, sealDocuments } from './testing/log-database.ts';
import type { LogIdentity } from '../../context.ts';

jest.setTimeout(120_000);

let dir: string;
let database: TestDatabase;
let db: Db;
let log: LogIdentity;
const children: ChildProcess[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-log-'));
  database = await testPostgres('documents-log');
  db = await prepare(database.url);
  log = openLogIdentity({ origin: 'karaar.test/log', secret: undefined, stateDir: dir });
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await db.destroy();
  await database.drop();
  await rm(dir, { recursive: true });
});

async function drain(): Promise<void> {
  while ((await sequence(db, log)) > 0);
}

/** Reads the log as anyone can: verifies the note, and rebuilds the tree from the entries. */
async function audited(): Promise<{ size: number; root: Uint8Array }> {
  const row = await latestCheckpoint(db);
  const note = parseNote(row?.note ?? '');
  expect(verifyNote(note, log.key)).toBe(true);
  const head = parseCheckpoint(note.body);
  const hasher = treeHasher();
  const entries = await readEntries(db, 0, head.size + 10);
  expect(entries).toHaveLength(head.size);
  for (const entry of entries) hasher.add(leafHash(entry));
  expect(equal(hasher.root(), head.root)).toBe(true);
  return head;
}

async function everyCheckpointContinuesTheOneBefore(): Promise<void> {
  const rows = await db.selectFrom('log_checkpoints').selectAll().orderBy('size').execute();
  const read = tileReader(db);
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1];
    if (!before || before.size === 0) continue;
    const proof = await consistencyProof(read, before.size, row.size);
    const claim = { size1: before.size, size2: row.size, root1: before.root, root2: row.root, proof };
    expect(verifyConsistency(claim)).toBe(true);
  }
}

function start(mode: 'hang' | 'run'): ChildProcess {
  const script = fileURLToPath(new URL('./testing/extend-and-hang.ts', import.meta.url));
  const child = spawn(process.execPath, [script, database.url, dir, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

describe('the log', () => {
  it('[FINAL-030] [FINAL-032] begins with a signed empty tree, then gives each commitment a place with a valid proof', async () => {
    await drain();
    expect((await audited()).size).toBe(0);
    const ids = await sealDocuments(db, 5);
    await drain();
    const { size, root } = await audited();
    expect(size).toBe(5);
    for (const documentId of ids) {
      const row = await findCommitment(db, { documentId });
      const index = row?.entry_index ?? -1;
      const leaf = leafHash(row ? entryOf(row) : Buffer.of());
      const proof = await inclusionProof(tileReader(db), index, size);
      expect(verifyInclusion({ index, size, leaf, proof, root })).toBe(true);
    }
  });

  it('[FINAL-031] adds many entries in batches from several processes, and each tree continues the one before', async () => {
    const before = (await audited()).size;
    await sealDocuments(db, 600);
    const others = [openDatabase(database.url), openDatabase(database.url)];
    await Promise.all(
      [db, ...others].map(async (one) => {
        while ((await sequence(one, log)) > 0);
      }),
    );
    await Promise.all(others.map((one) => one.destroy()));
    expect((await audited()).size).toBe(before + 600);
    await everyCheckpointContinuesTheOneBefore();
  });

  it('loses nothing if it is killed between append and sign', async () => {
    const { size } = await audited();
    const ids = await sealDocuments(db, 3);
    const child = start('hang');
    await once(child.stdout ?? child, 'data');
    // Entries and tiles are written now, in a transaction that never commits.
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await audited()).size).toBe(size);
    await drain();
    expect((await audited()).size).toBe(size + 3);
    const places = await Promise.all(ids.map((documentId) => findCommitment(db, { documentId })));
    expect(places.map((row) => row?.entry_index).toSorted()).toEqual([size, size + 1, size + 2]);
    await everyCheckpointContinuesTheOneBefore();
  });

  it('loses nothing if it is killed at any moment', async () => {
    const { size } = await audited();
    let sealed = 0;
    for (let round = 0; round < 3; round += 1) {
      const child = start('run');
      await once(child.stdout ?? child, 'data');
      for (let i = 0; i < 4; i += 1) {
        await sealDocuments(db, 5);
        sealed += 5;
        await sleep(round * 3);
      }
      child.kill('SIGKILL');
      await once(child, 'exit');
      await audited();
    }
    await drain();
    expect((await audited()).size).toBe(size + sealed);
    await everyCheckpointContinuesTheOneBefore();
  });

  it('signs nothing after stored hashes were changed, or with another key or name', async () => {
    await sealDocuments(db, 1);
    await sql`ALTER TABLE log_tiles DISABLE TRIGGER ALL`.execute(db);
    const flip = sql`
      UPDATE log_tiles SET hashes = set_byte(hashes, 5, get_byte(hashes, 5) # 1)
      WHERE level = 0 AND index = (SELECT max(index) FROM log_tiles WHERE level = 0)`;
    await flip.execute(db);
    await expect(sequence(db, log)).rejects.toThrow(/not the one that was signed/);
    await flip.execute(db);
    await sql`ALTER TABLE log_tiles ENABLE TRIGGER ALL`.execute(db);
    const other = openLogIdentity({ origin: 'other.test/log', secret: undefined, stateDir: dir });
    await expect(sequence(db, other)).rejects.toThrow(/not signed by this log/);
    await drain();
    await audited();
  });

  it('refuses to change published data', async () => {
    for (const statement of [
      sql`UPDATE log_entries SET data = 'x'`,
      sql`DELETE FROM log_entries`,
      sql`DELETE FROM log_checkpoints`,
      sql`UPDATE log_checkpoints SET note = 'x'`,
    ]) {
      await expect(statement.execute(db)).rejects.toThrow('never changed');
    }
    await expect(sql`UPDATE log_tiles SET hashes = set_byte(hashes, 0, 1)`.execute(db)).rejects.toThrow(
      'only grow',
    );
    await expect(sql`DELETE FROM log_tiles`.execute(db)).rejects.toThrow('only grow');
  });
});

describe("a witness's configuration", () => {
  it('needs a key and a URL of the right kind', () => {
    const key = 'w.example/w+e933707a+BBc1q1aPj4Cxx5c5K4qb6bYXJm6fSbxlE1mGSvX9m+dF';
    for (const bad of ['', 'https://w.example', `${key} ftp://w`, `${key} https://w more`]) {
      expect(() => parseWitness(bad)).toThrow(RangeError);
    }
  });
});
