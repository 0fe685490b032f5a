import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { toWire } from '@karaar/base/errors';
import { createBlobStore } from './store.ts';
import { fsPlace, ring, s3Place, type TestPlace } from './testing/stores.ts';

const MIB = 1024 * 1024;

function startChild(place: TestPlace, what: 'flow' | 'hang', megabytes: number) {
  const keks = ring('k1');
  const { service, backend } = place.config(keks);
  const config = { service, backend, kek: `k1:${keks.current.secret.toString('base64')}` };
  const script = fileURLToPath(new URL('./testing/child.ts', import.meta.url));
  const args = [script, what, JSON.stringify(config), String(megabytes)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

describe.each([
  // The S3 stub holds its objects in this process's memory, so this size is smaller.
  { name: 'files', open: fsPlace, megabytes: 200 },
  { name: 'S3', open: s3Place, megabytes: 160 },
])('a blob store on $name', ({ open, megabytes }) => {
  let place: TestPlace;
  beforeEach(async () => {
    place = await open();
  });
  afterEach(() => place.close());

  it(`streams ${megabytes} MB in and out with flat memory`, async () => {
    const child = startChild(place, 'flow', megabytes);
    const { bytes, grownMiB } = JSON.parse(await text(child.stdout)) as { bytes: number; grownMiB: number };
    expect(bytes).toBe(megabytes * MIB);
    // The first blob of 32 MB sets the level. Holding a whole blob would add the full difference.
    expect(grownMiB).toBeLessThan((megabytes - 32) / 2);
  }, 120_000);

  it('shows nothing of a write whose process was killed, and sweeps its leftovers', async () => {
    const store = createBlobStore(place.config(ring('k1')));
    const kept = await store.put('owner', Buffer.from('kept'));
    const before = await place.names();
    const child = startChild(place, 'hang', 24);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const left = (await place.names()).filter((name) => !before.includes(name));
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(/\/tmp\/|^upload /);
    expect(await store.sweep()).toBe(0);
    expect(await store.sweep(0)).toBe(1);
    expect(await place.names()).toEqual(before);
    expect((await store.read(kept.path)).toString()).toBe('kept');
  }, 60_000);
});

it('removes a key whose erasure a crash interrupted in the next sweep, whatever its age', async () => {
  const place = await fsPlace();
  const store = createBlobStore(place.config(ring('k1')));
  const grave = join(place.dir!, 'auth', 'tmp', 'erased-1');
  await mkdir(grave, { recursive: true });
  await writeFile(join(grave, 'k1'), 'wrapped key');
  expect(await store.sweep()).toBe(1);
  expect(await place.names()).toEqual([]);
  await place.close();
});

describe('an unavailable S3 store', () => {
  let place: TestPlace;
  beforeEach(async () => {
    place = await s3Place();
  });
  afterEach(() => place.close());

  it('gives an error, not a missing blob, and leaves nothing half-written', async () => {
    const store = createBlobStore(place.config(ring('k1')));
    const { path } = await store.put('owner', Buffer.from('x'));
    const before = await place.names();
    place.s3!.fail = (request) => (request.startsWith('GET') && request.includes(path) ? 403 : undefined);
    await expect(store.read(path)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    place.s3!.fail = (request) => (request.includes('partNumber=2') ? 403 : undefined);
    await expect(store.put('owner', Buffer.alloc(20 * MIB))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
    place.s3!.fail = undefined;
    expect(await place.names()).toEqual(before);
  });

  it.each([500, 503, 429])('that answers %i repeatedly gives 503, not 500', async (status) => {
    const store = createBlobStore(place.config(ring('k1')));
    const { path } = await store.put('owner', Buffer.from('x'));
    place.s3!.fail = () => status;
    const attempts = [
      () => store.put('owner', Buffer.from('y')),
      () => store.read(path),
      () => store.delete(path),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt().catch((thrown: unknown) => thrown);
      expect(toWire(error)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    }
  });

  it('is retried after a single failure', async () => {
    const store = createBlobStore(place.config(ring('k1')));
    const { path } = await store.put('owner', Buffer.from('x'));
    let stumbled = false;
    place.s3!.fail = () => {
      if (stumbled) return undefined;
      stumbled = true;
      return 503;
    };
    expect((await store.read(path)).toString()).toBe('x');
    expect(stumbled).toBe(true);
  });

  it('loses every stored version of an erased key', async () => {
    const store = createBlobStore(place.config(ring('k1')));
    await store.put('owner', Buffer.from('x'));
    const [key] = (await place.names()).filter((name) => name.includes('/keys/'));
    place.s3!.versions = ['1', '2'].map((id) => ({ key: key!, id, bytes: place.s3!.objects.get(key!)! }));
    place.s3!.versions.push({
      key: `${key}0`,
      id: '1',
      bytes: Buffer.from('another owner whose name begins alike'),
    });
    await store.eraseOwner('owner');
    expect(place.s3!.versions.map((version) => version.key)).toEqual([`${key}0`]);
  });

  it('keeps a key erased that is erased between the read and the write of a rewrap', async () => {
    const store = createBlobStore(place.config(ring('k1')));
    await store.put('owner', Buffer.from('x'));
    const [key] = (await place.names()).filter((name) => name.includes('/keys/'));
    place.s3!.fail = (request) => {
      if (request.startsWith(`PUT ${key}`)) place.s3!.objects.delete(key!);
      return undefined;
    };
    expect(await createBlobStore(place.config(ring('k2', 'k1'))).rewrap()).toBe(0);
    expect((await place.names()).filter((name) => name.includes('/keys/'))).toEqual([]);
  });

  it('may lack versioning', async () => {
    const store = createBlobStore(place.config(ring('k1')));
    await store.put('owner', Buffer.from('x'));
    place.s3!.fail = (request) => (request.includes('versions') ? 501 : undefined);
    await store.eraseOwner('owner');
    expect(await place.names()).toEqual([]);
  });
});
