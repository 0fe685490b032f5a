import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { SEGMENT_BYTES } from './backends/segments.ts';
import { createBlobStore, type BlobStore } from './store.ts';
import { fsPlace, ring, s3Place, type TestPlace } from './testing/stores.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const MIB = 1024 * 1024;

describe.each([
  { name: 'files', open: fsPlace },
  { name: 'S3', open: s3Place },
])('a blob store on $name', ({ open }) => {
  let place: TestPlace;
  let store: BlobStore;

  beforeEach(async () => {
    place = await open();
    store = createBlobStore(place.config(ring('k1')));
  });
  afterEach(() => place.close());

  it('returns stored content with its size, hash and sniffed type', async () => {
    const blob = await store.put('owner', Readable.from([PNG.subarray(0, 5), PNG.subarray(5)]));
    expect(blob.path).toMatch(/^[0-9a-f]{32}\/[0-9a-f-]{36}$/);
    expect(blob).toMatchObject({ size: PNG.length, mime: 'image/png' });
    expect(blob.sha256).toBe(createHash('sha256').update(PNG).digest('hex'));
    const opened = await store.open(blob.path);
    expect(opened).toMatchObject({ size: PNG.length, mime: 'image/png' });
    expect(await buffer(opened.stream)).toEqual(PNG);
    expect(await store.stat(blob.path)).toEqual({ size: PNG.length, mime: 'image/png' });
  });

  it('stores empty, boundary-sized and multi-part blobs', async () => {
    for (const size of [0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 20 * MIB + 3]) {
      const content = randomBytes(size);
      const { path } = await store.put('owner', content);
      expect((await store.read(path)).equals(content)).toBe(true);
    }
    const multipart = place.s3?.requests.filter((request) => request.includes('partNumber=')) ?? [];
    expect(multipart.length).toBe(place.s3 ? 3 : 0);
  });

  it('prefers the sniffed type, and uses the caller’s type only for content that does not reveal one', async () => {
    expect((await store.put('owner', PNG, { mime: 'text/html' })).mime).toBe('image/png');
    expect((await store.put('owner', Buffer.from('<script>'), {})).mime).toBe('application/octet-stream');
    expect((await store.put('owner', Buffer.from('a,b'), { mime: 'text/csv' })).mime).toBe('text/csv');
  });

  it('opens any range', async () => {
    const content = randomBytes(3 * SEGMENT_BYTES + 100);
    const { path } = await store.put('owner', content);
    const at = fc.oneof(
      fc.nat(content.length - 1),
      fc.constantFrom(0, SEGMENT_BYTES - 1, SEGMENT_BYTES, 2 * SEGMENT_BYTES),
    );
    await fc.assert(
      fc.asyncProperty(
        at,
        fc.option(fc.nat(content.length + 50), { nil: undefined }),
        async (start, length) => {
          const end = length === undefined ? undefined : start + length;
          const { stream, size } = await store.open(path, { range: { start, end } });
          expect(size).toBe(content.length);
          const expected = content.subarray(start, end === undefined ? undefined : end + 1);
          expect((await buffer(stream)).equals(expected)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
    for (const start of [content.length, -1, 0.5])
      await expect(store.open(path, { range: { start } })).rejects.toMatchObject({ code: 'blob_bad_range' });
  });

  it('stores neither content nor owner in plain text', async () => {
    await store.put('user-with-a-telling-id', Buffer.from('a telling sentence '.repeat(100)));
    for (const name of await place.names()) {
      expect(name).not.toContain('telling');
      expect((await place.bytes(name)).includes('telling')).toBe(false);
    }
  });

  it('stores nothing when the source fails midway, small or large', async () => {
    for (const before of [0, 1000, 20 * MIB]) {
      async function* failing() {
        yield randomBytes(before);
        throw new Error('the client went away');
      }
      await expect(store.put('owner', failing())).rejects.toThrow('the client went away');
    }
    const left = await place.names();
    expect(left.filter((name) => !name.includes('/keys/'))).toEqual([]);
  });

  it('rejects only the put whose source fails before it is read', async () => {
    const missing = join(tmpdir(), randomUUID());
    await expect(store.put('owner', createReadStream(missing))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('closes the source when storing fails', async () => {
    const source = Readable.from([Buffer.from('x')]);
    await store.put('owner', Buffer.from('makes the key'));
    const [key] = (await place.names()).filter((name) => name.includes('/keys/'));
    await place.overwrite(key!, Buffer.from('{"v":1,"kek":"gone","id":"00","wrapped":"00"}'));
    await expect(store.put('owner', source)).rejects.toMatchObject({ code: 'blob_kek_unknown' });
    expect(source.destroyed).toBe(true);
  });

  it('reports a missing blob, and rejects an invalid path', async () => {
    const { path } = await store.put('owner', PNG);
    await store.delete(path);
    await store.delete(path);
    for (const call of [() => store.open(path), () => store.read(path), () => store.stat(path)])
      await expect(call()).rejects.toMatchObject({ code: 'blob_not_found' });
    for (const bad of [
      '',
      '../../etc/passwd',
      `${path}/../x`,
      `/${path}`,
      path.toUpperCase().replace('/', '\\'),
    ]) {
      await expect(store.open(bad)).rejects.toMatchObject({ code: 'blob_bad_path' });
      await expect(store.delete(bad)).rejects.toMatchObject({ code: 'blob_bad_path' });
    }
  });

  it('detects altered, truncated, swapped and copied objects', async () => {
    const content = randomBytes(2 * SEGMENT_BYTES + 10);
    const blobs = [await store.put('owner', content), await store.put('owner', content)];
    const nameOf = async (path: string) => (await place.names()).find((name) => name.endsWith(path))!;
    const [first, second] = [await nameOf(blobs[0]!.path), await nameOf(blobs[1]!.path)];
    const original = await place.bytes(first);
    const altered = Buffer.from(original);
    altered.writeUInt8(altered.readUInt8(SEGMENT_BYTES + 5000) ^ 1, SEGMENT_BYTES + 5000);
    const cutAtEdge = original.subarray(0, original.length - 26);
    for (const stored of [
      altered,
      cutAtEdge,
      original.subarray(0, 100),
      await place.bytes(second),
      Buffer.alloc(0),
    ]) {
      await place.overwrite(first, stored);
      await expect(store.read(blobs[0]!.path)).rejects.toMatchObject({ code: 'blob_corrupt' });
    }
    // A range far from the cut is rejected too, because the size would be wrong.
    await place.overwrite(first, cutAtEdge);
    await expect(store.open(blobs[0]!.path, { range: { start: 0, end: 9 } })).rejects.toMatchObject({
      code: 'blob_corrupt',
    });
    await place.overwrite(first, original);
    expect((await store.read(blobs[0]!.path)).equals(content)).toBe(true);
  });

  it('closes the blob when a reader leaves before the first byte', async () => {
    const openFiles = async () => (await readdir('/dev/fd')).length;
    const { path } = await store.put('owner', randomBytes(8 * MIB));
    await store.read(path);
    const before = await openFiles();
    for (let i = 0; i < 20; i += 1) (await store.open(path)).stream.destroy();
    for (let tries = 0; tries < 100 && (await openFiles()) > before + 2; tries += 1) await sleep(20);
    expect(await openFiles()).toBeLessThanOrEqual(before + 2);
  });

  it('makes one key for an owner, however many processes start at once', async () => {
    const stores = Array.from({ length: 12 }, () => createBlobStore(place.config(ring('k1'))));
    const blobs = await Promise.all(stores.map((each, i) => each.put('owner', Buffer.from(`blob ${i}`))));
    expect((await place.names()).filter((name) => name.includes('/keys/'))).toHaveLength(1);
    for (const [i, { path }] of blobs.entries())
      expect((await store.read(path)).toString()).toBe(`blob ${i}`);
  });

  it('separates services that share a store', async () => {
    const { path } = await store.put('owner', PNG);
    const other = createBlobStore(place.config(ring('k1'), 'documents'));
    await expect(other.read(path)).rejects.toMatchObject({ code: 'blob_not_found' });
    await other.put('owner', PNG);
    await other.eraseOwner('owner');
    expect(await store.read(path)).toEqual(PNG);
  });

  describe('erasing an owner', () => {
    it('makes the owner’s blobs unreadable in every process, and no other owner’s', async () => {
      const elsewhere = createBlobStore(place.config(ring('k1')));
      const paths = await Promise.all([1, 2, 3, 4, 5].map(async () => (await store.put('erased', PNG)).path));
      const kept = await store.put('kept', PNG);
      expect(await elsewhere.read(paths[0]!)).toEqual(PNG);
      const [backupName] = (await place.names()).filter((name) => name.endsWith(paths[0]!));
      const backup = await place.bytes(backupName!);
      await store.eraseOwner('erased');
      for (const path of paths)
        await expect(elsewhere.read(path)).rejects.toMatchObject({ code: 'blob_not_found' });
      expect(await elsewhere.read(kept.path)).toEqual(PNG);
      expect((await place.names()).filter((name) => name.includes(paths[0]!.split('/')[0]!))).toEqual([]);
      // Neither a restored object nor a new key of the same owner makes the picture readable.
      await store.put('erased', PNG);
      await place.overwrite(backupName!, backup);
      await expect(store.read(paths[0]!)).rejects.toMatchObject({ code: 'blob_not_found' });
    });

    it('wins over a concurrent write', async () => {
      await store.put('owner', PNG);
      async function* slow() {
        yield PNG;
        await store.eraseOwner('owner');
        yield PNG;
      }
      await expect(store.put('owner', slow())).rejects.toMatchObject({ code: 'blob_owner_erased' });
      expect(await place.names()).toEqual([]);
    });

    it('can be repeated, and accepts an unknown owner', async () => {
      await store.put('owner', PNG);
      await store.eraseOwner('owner');
      await store.eraseOwner('owner');
      await store.eraseOwner('nobody');
      expect(await place.names()).toEqual([]);
    });
  });

  describe('rotating the KEK', () => {
    it('rewraps keys so that the old KEK can be removed, without touching blobs', async () => {
      const blobs = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => store.put(owner, PNG)));
      const both = createBlobStore(place.config(ring('k2', 'k1')));
      const added = await both.put('f', PNG);
      expect(await both.rewrap()).toBe(5);
      expect(await both.rewrap()).toBe(0);
      const rotated = createBlobStore(place.config(ring('k2')));
      for (const { path } of [...blobs, added]) expect(await rotated.read(path)).toEqual(PNG);
      await expect(store.read(added.path)).rejects.toMatchObject({ code: 'blob_kek_unknown' });
    });

    it('keeps a key erased that is erased during the rotation', async () => {
      const owners = Array.from({ length: 12 }, (_, i) => `owner ${i}`);
      for (const owner of owners) await store.put(owner, PNG);
      const both = createBlobStore(place.config(ring('k2', 'k1')));
      await Promise.all([both.rewrap(), ...owners.map((owner) => store.eraseOwner(owner)), both.rewrap()]);
      expect(await place.names()).toEqual([]);
    });

    it('may run twice at once', async () => {
      const blobs = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => store.put(owner, PNG)));
      const both = createBlobStore(place.config(ring('k2', 'k1')));
      await Promise.all([both.rewrap(), createBlobStore(place.config(ring('k2', 'k1'))).rewrap()]);
      const rotated = createBlobStore(place.config(ring('k2')));
      for (const { path } of blobs) expect(await rotated.read(path)).toEqual(PNG);
    });

    it('rejects a wrapped key that was copied to another owner', async () => {
      const mine = await store.put('mine', PNG);
      const theirs = await store.put('theirs', PNG);
      const keyOf = async (path: string) =>
        (await place.names()).find((name) => name.includes(`/keys/${path.split('/')[0]}`))!;
      await place.overwrite(await keyOf(mine.path), await place.bytes(await keyOf(theirs.path)));
      await expect(store.read(mine.path)).rejects.toMatchObject({ code: 'blob_corrupt' });
    });
  });
});
