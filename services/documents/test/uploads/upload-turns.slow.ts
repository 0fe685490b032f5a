import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { jest } from '@jest/globals';
import { RenderError, type Renderer } from '@karaar/rendering';
import { createRenderer } from '@karaar/rendering/renderer';
import { textPdf } from '@karaar/testing/made-up/files';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { claimUpload } from '../../src/features/uploads/uploads.repository.ts';
import { blobsOf, documentForm, startApi, type Api } from '../api.ts';

jest.setTimeout(120_000);

let api: Api;
let folder: string;
/** The files that the renderer got, in order. */
const begun: string[] = [];
/** The renderer finishes the long files after this call. */
let release: () => void;
let released: Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-upload-turns-'));
  const real = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir: folder });
  const renderer: Renderer = {
    ...real,
    prepareUpload: async (file, options = {}) => {
      begun.push(file.name);
      const isFirst = begun.filter((name) => name === file.name).length === 1;
      if (file.name.startsWith('late') && isFirst) await released;
      if (file.name.startsWith('flaky') && isFirst)
        throw new RenderError('engine_failed', 'The converter ended.');
      if (file.name.startsWith('endless')) throw new RenderError('timeout', 'It took longer than 900 s.');
      if (file.name.startsWith('long')) {
        const { signal } = options;
        const stopped = new Promise<never>((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        );
        await Promise.race([released, stopped]);
      }
      return real.prepareUpload(file, options);
    },
  };
  api = await startApi('documents-upload-turns', { UPLOAD_SLOT_MS: '5000' }, { renderer });
}, 120_000);
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  begun.length = 0;
  released = new Promise((resolve) => (release = resolve));
});

async function send(user: WorldUser, name: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await textPdf(name))]), name);
  const { status, body } = await api.send(user, '/documents/uploads', form);
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body['upload_id']);
}

const stateOf = async (user: WorldUser, id: string) =>
  (await api.call(user, 'GET', `/documents/uploads/${id}`)).body['state'];

it('moves a long file aside, so that it delays neither its sender nor other users', async () => {
  const [many, one] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
  const long = [await send(many, 'long-1.pdf'), await send(many, 'long-2.pdf')];
  await until('both are worked on', () => begun.length === 2);
  const own = await send(many, 'short.pdf');
  const others = await send(one, 'single.pdf');
  await until(
    'the short ones are done',
    async () => {
      const states = [await stateOf(many, own), await stateOf(one, others)];
      return states.every((state) => state === 'ready');
    },
    30_000,
  );
  for (const id of long) expect(await stateOf(many, id)).toBe('checking');
  // Each had its time slot; one continues, and the other was put back to wait for it.
  expect(begun.filter((name) => name.startsWith('long')).sort()).toEqual(['long-1.pdf', 'long-2.pdf']);
  release();
  for (const id of long) await until('it is done', async () => (await stateOf(many, id)) === 'ready', 60_000);
  expect(begun.filter((name) => name.startsWith('long'))).toHaveLength(3);
  const attempts = await api.service.foundation.db
    .selectFrom('uploads')
    .select('attempts')
    .where('id', 'in', long)
    .execute();
  expect(attempts).toEqual([{ attempts: 1 }, { attempts: 1 }]);
});

it('refuses a file after 15 minutes at once, without a retry', async () => {
  const user = await api.world.addUser('Asha Rao');
  const id = await send(user, 'endless.pdf');
  await until('it is refused', async () => (await stateOf(user, id)) === 'refused');
  const { body } = await api.call(user, 'GET', `/documents/uploads/${id}`);
  expect(JSON.stringify(body)).toContain('could not be checked');
  expect(begun).toEqual(['endless.pdf']);
});

it('checks a file again a few seconds after a fault that is not the file’s', async () => {
  const user = await api.world.addUser('Asha Rao');
  const id = await send(user, 'flaky.pdf');
  await until('it is ready', async () => (await stateOf(user, id)) === 'ready', 20_000);
  expect(begun).toEqual(['flaky.pdf', 'flaky.pdf']);
});

it('keeps the lease while it works, and no longer: after a crash the file waits for seconds', async () => {
  const user = await api.world.addUser('Asha Rao');
  const id = await send(user, 'late.pdf');
  await until('it is worked on', () => begun.includes('late.pdf'), 30_000);
  const lease = async (): Promise<number> => {
    const { rows } = await sql<{ left: number }>`
      SELECT extract(epoch FROM lease_until - now())::float8 AS left FROM uploads WHERE id = ${id}`.execute(
      api.service.foundation.db,
    );
    return rows[0]?.left ?? 0;
  };
  const first = await lease();
  expect(first).toBeLessThan(20);
  await until('the lease is renewed', async () => (await lease()) > first, 15_000);
  release();
  await until('it is ready', async () => (await stateOf(user, id)) === 'ready', 20_000);
  expect(begun).toEqual(['late.pdf']);
});

describe('a worker whose lease has expired', () => {
  /** A file whose lease has expired, so that another worker may take it. */
  const overdue = async (user: WorldUser): Promise<string> => {
    const id = await send(user, 'late.pdf');
    await until('it is worked on', () => begun.includes('late.pdf'), 30_000);
    await sql`UPDATE uploads SET lease_until = now() - interval '1 second' WHERE id = ${id}`.execute(
      api.service.foundation.db,
    );
    return id;
  };
  const lateOneEnds = async (): Promise<void> => {
    const workDir = join(api.world.folder, 'work');
    const isWorking = async () =>
      (await readdir(workDir, { recursive: true })).some((path) => basename(path).startsWith('upload-'));
    expect(await isWorking()).toBe(true);
    release();
    await until('it has ended', async () => !(await isWorking()), 30_000);
  };
  const blobsNow = async (): Promise<string[]> => {
    const paths: string[] = [];
    for await (const { path } of blobsOf(api).list()) paths.push(path);
    return paths.toSorted();
  };

  it('erases nothing of a file that another worker has checked and an agreement has taken', async () => {
    const user = await api.world.addUser('Asha Rao');
    const id = await overdue(user);
    await until('another has checked it', async () => (await stateOf(user, id)) === 'ready', 30_000);
    const { rows } = await sql<{ path: string }>`
      SELECT unnest(ARRAY[path, preview_path, thumb_path, text_path]) AS path FROM uploads
      WHERE id = ${id}`.execute(api.service.foundation.db);
    const before = await blobsNow();
    expect(before).toEqual(expect.arrayContaining(rows.map(({ path }) => path)));
    await lateOneEnds();
    // Only its own pages are gone.
    expect(await blobsNow()).toEqual(before);
    const form = await documentForm();
    form.delete('raw_documents');
    form.append('uploads', JSON.stringify([id]));
    expect(await api.send(user, '/documents/create', form)).toMatchObject({ status: 201 });
  });

  it('leaves nothing of a file that its sender has deleted', async () => {
    const user = await api.world.addUser('Asha Rao');
    const before = await blobsNow();
    const id = await overdue(user);
    await api.service.foundation.db.deleteFrom('uploads').where('id', '=', id).execute();
    await lateOneEnds();
    expect(await blobsNow()).toEqual(before);
  });
});

describe('the next file in the queue', () => {
  /** Creates finished files, which the service's own workers ignore; a transaction turns them into waiting ones. */
  const seed = async (rows: readonly { user: string; name: string; long?: boolean }[]): Promise<void> => {
    const { db } = api.service.foundation;
    await sql`DELETE FROM uploads`.execute(db);
    for (const [i, { user, name, long = false }] of rows.entries()) {
      await sql`
        INSERT INTO uploads (id, user_id, name, kind, mime, size, sha256, path, state, takes_long, created_at, expires_at)
        VALUES (gen_random_uuid(), ${user}, ${name}, 'pdf', 'application/pdf', 1, 'x', 'x', 'ready', ${long},
          now() + ${i} * interval '1 ms', now() + interval '1 day')`.execute(db);
    }
  };
  const [A, B, C] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
    string,
    string,
    string,
  ];

  /**
   * Returns the names in the order in which a worker takes them, in one transaction that other workers do not
   * see.
   */
  async function taken(
    which: 'quick' | 'any',
    done: (name: string) => boolean = () => true,
  ): Promise<string[]> {
    const { db } = api.service.foundation;
    const names: string[] = [];
    await db
      .transaction()
      .execute(async (tx) => {
        await sql`UPDATE uploads SET state = 'checking'`.execute(tx);
        for (;;) {
          const row = await claimUpload(tx, which);
          if (!row) break;
          names.push(row.name);
          if (done(row.name)) await sql`UPDATE uploads SET state = 'ready' WHERE id = ${row.id}`.execute(tx);
        }
        throw new Error('rolled back');
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'rolled back') throw error;
      });
    return names;
  }

  it('comes from the senders in turn, not in order of arrival', async () => {
    await seed([
      ...[1, 2, 3, 4].map((n) => ({ user: A, name: `a${n}` })),
      { user: B, name: 'b1' },
      { user: C, name: 'c1' },
      { user: C, name: 'c2' },
    ]);
    expect(await taken('quick')).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
  });

  it('comes from the sender with the fewest files in progress', async () => {
    await seed([
      { user: A, name: 'a1' },
      { user: A, name: 'a2' },
      { user: B, name: 'b1' },
      { user: B, name: 'b2' },
    ]);
    // b1 is done at once, a1 is not: b2 comes before a2, although A's last turn was earlier.
    expect(await taken('quick', (name) => name !== 'a1')).toEqual(['a1', 'b1', 'b2', 'a2']);
  });

  it('is never a long one in the loop for quick files; the other loop takes long files first', async () => {
    await seed([
      { user: A, name: 'a1' },
      { user: A, name: 'long', long: true },
      { user: B, name: 'b1' },
    ]);
    expect(await taken('quick')).toEqual(['a1', 'b1']);
    expect((await taken('any'))[0]).toBe('long');
  });
});
