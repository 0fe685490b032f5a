import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { isBlobError } from '../errors.ts';
import {
  HEADER_BYTES,
  layoutOf,
  openHeader,
  openSegments,
  sealStream,
  SEGMENT_BYTES,
  segmentSpan,
  TAG_BYTES,
  type DataKey,
} from './segments.ts';

const SEALED = SEGMENT_BYTES + TAG_BYTES;
const key: DataKey = { id: randomBytes(16), secret: randomBytes(32) };
const NAME = 'owner/object';

async function* cut(bytes: Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  let offset = 0;
  for (let i = 0; offset < bytes.length; i += 1) {
    const size = Math.max(1, sizes[i % sizes.length] ?? bytes.length);
    yield bytes.subarray(offset, offset + size);
    offset += size;
  }
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

function sealed(content: Buffer, sizes = [content.length || 1]): Promise<Buffer> {
  return collect(sealStream(cut(content, sizes), key, NAME, async () => 'image/png'));
}

async function opened(stored: Buffer, name = NAME, sizes = [stored.length || 1]): Promise<Buffer> {
  const header = openHeader(stored.subarray(0, HEADER_BYTES), key, name);
  const { segments, size } = layoutOf(stored.length);
  const content = await collect(
    openSegments(cut(stored.subarray(HEADER_BYTES), sizes), header, { from: 0, until: segments, segments }),
  );
  expect(content.length).toBe(size);
  return content;
}

async function expectCorrupt(stored: Buffer, name = NAME): Promise<void> {
  const error: unknown = await opened(stored, name).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(isBlobError(error, 'blob_corrupt')).toBe(true);
}

/** Sizes at every boundary of the format, and arbitrary sizes. */
const anySize = fc.oneof(
  fc.integer({ min: 0, max: 5 * SEGMENT_BYTES }),
  fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -17, max: 17 }))
    .map(([n, d]) => Math.max(0, n * SEGMENT_BYTES + d)),
);
const anyCuts = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 5 });

describe('sealed segments', () => {
  it('return any content, whatever the chunk sizes of the content and of the sealed form', async () => {
    await fc.assert(
      fc.asyncProperty(anySize, anyCuts, anyCuts, async (size, cuts, readCuts) => {
        const content = randomBytes(size);
        const stored = await sealed(content, cuts);
        expect((await opened(stored, NAME, readCuts)).equals(content)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('never store the same bytes twice for the same content', async () => {
    const content = Buffer.alloc(1000, 7);
    expect((await sealed(content)).equals(await sealed(content))).toBe(false);
  });

  it('hide the content and its type in the stored form', async () => {
    const stored = await sealed(Buffer.from('a telling sentence '.repeat(50)));
    expect(stored.includes('telling')).toBe(false);
    expect(stored.includes('image/png')).toBe(false);
  });

  it('reject any flipped bit', async () => {
    const stored = await sealed(randomBytes(2 * SEGMENT_BYTES + 500));
    await fc.assert(
      fc.asyncProperty(fc.nat(stored.length - 1), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const altered = Buffer.from(stored);
        altered.writeUInt8(altered.readUInt8(at) ^ (1 << bit), at);
        await expectCorrupt(altered);
      }),
      { numRuns: 80 },
    );
    for (let at = 0; at < HEADER_BYTES; at += 1) {
      const altered = Buffer.from(stored);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      await expectCorrupt(altered);
    }
  });

  it('reject any truncation, also at a segment’s boundary', async () => {
    const stored = await sealed(randomBytes(3 * SEGMENT_BYTES));
    const edges = [1, 2].map((n) => HEADER_BYTES + n * SEALED);
    for (const edge of edges) await expectCorrupt(stored.subarray(0, edge));
    for (const edge of edges) await expectCorrupt(stored.subarray(0, edge + TAG_BYTES));
    await fc.assert(
      fc.asyncProperty(fc.nat(stored.length - 1), async (length) =>
        expectCorrupt(stored.subarray(0, length)),
      ),
      { numRuns: 80 },
    );
  });

  it('reject anything appended: bytes, a repeated segment, an empty last one', async () => {
    const stored = await sealed(randomBytes(2 * SEGMENT_BYTES));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 * SEALED }), async (extra) =>
        expectCorrupt(Buffer.concat([stored, randomBytes(extra)])),
      ),
      { numRuns: 20 },
    );
    await expectCorrupt(Buffer.concat([stored, stored.subarray(-SEALED)]));
    const empty = await sealed(Buffer.alloc(0));
    await expectCorrupt(Buffer.concat([stored, empty.subarray(HEADER_BYTES)]));
  });

  it('reject reordered segments and segments of another object', async () => {
    const stored = await sealed(randomBytes(4 * SEGMENT_BYTES));
    const other = await sealed(randomBytes(4 * SEGMENT_BYTES));
    const segment = (of: Buffer, n: number) =>
      of.subarray(HEADER_BYTES + n * SEALED, HEADER_BYTES + (n + 1) * SEALED);
    const order = (of: Buffer, ns: number[]) =>
      Buffer.concat([of.subarray(0, HEADER_BYTES), ...ns.map((n) => segment(of, n))]);
    expect((await opened(order(stored, [0, 1, 2, 3]))).length).toBe(4 * SEGMENT_BYTES);
    for (const ns of [
      [1, 0, 2, 3],
      [0, 2, 1, 3],
      [3, 1, 2, 0],
      [0, 0, 2, 3],
      [0, 1, 3],
      [0, 1, 2],
      [1, 2, 3],
    ])
      await expectCorrupt(order(stored, ns));
    await expectCorrupt(Buffer.concat([order(stored, [0, 1, 2]), segment(other, 3)]));
    await expectCorrupt(Buffer.concat([other.subarray(0, HEADER_BYTES), stored.subarray(HEADER_BYTES)]));
  });

  it('open only under the name that they were sealed for', async () => {
    await expectCorrupt(await sealed(Buffer.from('x')), 'owner/another');
  });

  it('open from any segment, and report a requested segment that is missing', async () => {
    const content = randomBytes(3 * SEGMENT_BYTES + 5);
    const stored = await sealed(content);
    const header = openHeader(stored.subarray(0, HEADER_BYTES), key, NAME);
    const { segments } = layoutOf(stored.length);
    const { start } = segmentSpan(1, stored.length);
    const { end } = segmentSpan(2, stored.length);
    const span = stored.subarray(start, end + 1);
    const middle = await collect(openSegments(cut(span, [1000]), header, { from: 1, until: 3, segments }));
    expect(middle.equals(content.subarray(SEGMENT_BYTES, 3 * SEGMENT_BYTES))).toBe(true);
    await expect(
      collect(openSegments(cut(span, [1000]), header, { from: 1, until: 4, segments })),
    ).rejects.toMatchObject({ code: 'blob_corrupt' });
  });

  it('close the source when the reader stops early', async () => {
    let ended = false;
    async function* source() {
      try {
        for (;;) yield randomBytes(SEGMENT_BYTES);
      } finally {
        ended = true;
      }
    }
    for await (const _ of sealStream(source(), key, NAME, async () => 'image/png')) break;
    expect(ended).toBe(true);
  });
});
