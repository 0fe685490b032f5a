import { generateKeyPairSync, sign as signWith } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, toHex, utf8 } from './bytes.ts';
import { ALGORITHM, noteKey, type NoteKey } from './log/note.ts';
import { ARCHIVE, checkPack, LIST_NAME, packWriter, writeList, type PackList } from './pack.ts';

const MADE_AT = '2026-11-25T18:45:12.345Z';

function identity(name = 'log.karaar.example'): { key: NoteKey; sign: (m: Uint8Array) => Uint8Array } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    key: noteKey(name, ALGORITHM.ed25519, new Uint8Array(raw)),
    sign: (message) => signWith(null, message, privateKey),
  };
}
const log = identity();

const CONTENTS: Record<string, Uint8Array> = {
  'agreement.pdf': utf8('%PDF-1.7 sealed'),
  'record/timeline.html': utf8('<h1>Timeline</h1>'),
  'empty.txt': new Uint8Array(),
};
const listOf = (contents: Record<string, Uint8Array>): PackList => ({
  code: '7K3M9QXA',
  madeAt: MADE_AT,
  files: Object.entries(contents).map(([name, bytes]) => ({
    name,
    sha256: toHex(sha256(bytes)),
    bytes: bytes.length,
  })),
});
function pack(contents: Record<string, Uint8Array>, list: string, chunk = 7): Uint8Array {
  const chunks: Uint8Array[] = [];
  const writer = packWriter(MADE_AT, (part) => chunks.push(part.slice()));
  for (const [name, bytes] of [[LIST_NAME, utf8(list)] as const, ...Object.entries(contents)]) {
    const file = writer.add(name);
    for (let at = 0; at + chunk < bytes.length; at += chunk) file.write(bytes.slice(at, at + chunk), false);
    file.write(bytes.slice(Math.floor(Math.max(bytes.length - 1, 0) / chunk) * chunk), true);
  }
  writer.end();
  return concat(...chunks);
}
const signed = (contents = CONTENTS, by = log): string => writeList(listOf(contents), by.key, by.sign);
const faults = async (bytes: Uint8Array, key = log.key) =>
  (await checkPack(bytes, key)).files.filter(({ fault }) => fault !== null);

describe('a court pack', () => {
  it('is valid as it was written, for any size of the chunks', async () => {
    for (const chunk of [1, 7, 1_000]) {
      const finding = await checkPack(pack(CONTENTS, signed(), chunk), log.key);
      expect(finding).toMatchObject({ valid: true, list: { code: '7K3M9QXA', madeAt: MADE_AT } });
      expect(finding.files.map(({ name }) => name)).toEqual([LIST_NAME, ...Object.keys(CONTENTS), ARCHIVE]);
    }
  });

  it('names the changed file for a flip of any byte', async () => {
    const whole = pack(CONTENTS, signed());
    for (let at = 0; at < whole.length; at += 1) {
      const flipped = whole.slice();
      flipped[at]! ^= 1 << (at % 8);
      const finding = await checkPack(flipped, log.key);
      expect({ at, valid: finding.valid }).toEqual({ at, valid: false });
      expect(finding.files.some(({ fault }) => fault !== null)).toBe(true);
    }
  });

  it('names the file whose bytes were changed', async () => {
    const other = { ...CONTENTS, 'record/timeline.html': utf8('<h1>Timelime</h1>') };
    expect(await faults(pack(other, signed()))).toEqual([{ name: 'record/timeline.html', fault: 'changed' }]);
  });

  it('names a missing file and an added one', async () => {
    const { 'empty.txt': _, ...fewer } = CONTENTS;
    expect(await faults(pack(fewer, signed()))).toEqual([{ name: 'empty.txt', fault: 'missing' }]);
    const more = { ...CONTENTS, 'added.txt': utf8('more') };
    expect(await faults(pack(more, signed()))).toEqual([{ name: 'added.txt', fault: 'added' }]);
  });

  it('refuses a list that another key signed, and an unsigned list', async () => {
    const stranger = identity();
    expect(await faults(pack(CONTENTS, signed(CONTENTS, stranger)))).toEqual([
      { name: LIST_NAME, fault: 'unsigned' },
    ]);
    expect(await faults(pack(CONTENTS, signed().split('\n\n')[0] ?? ''))).toEqual([
      { name: LIST_NAME, fault: 'unsigned' },
    ]);
  });

  it('refuses bytes before, between and after its files', async () => {
    const whole = pack(CONTENTS, signed());
    for (const bytes of [concat(whole, utf8('x')), concat(utf8('x'), whole)])
      expect((await checkPack(bytes, log.key)).valid).toBe(false);
  });

  it('refuses the same files in another order', async () => {
    const turned = Object.fromEntries(Object.entries(CONTENTS).reverse());
    expect(await faults(pack(turned, signed()))).toEqual([{ name: ARCHIVE, fault: 'changed' }]);
  });

  it('does not search for four billion files that its directory claims and does not contain', async () => {
    const whole = Buffer.from(pack(CONTENTS, signed()));
    const end = whole.subarray(-22);
    const [record, locator] = [Buffer.alloc(56), Buffer.alloc(20)];
    record.writeUInt32LE(0x06064b50, 0);
    record.writeUInt32LE(0xffff_fff0, 32);
    record.writeUInt32LE(end.readUInt32LE(16), 48);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeUInt32LE(whole.length - 22, 8);
    const endless = Buffer.concat([whole.subarray(0, -22), record, locator, end]);
    expect(await faults(endless)).toEqual([{ name: ARCHIVE, fault: 'changed' }]);
  });

  it('is the same in every time zone', async () => {
    const whole = pack(CONTENTS, signed());
    const zone = process.env['TZ'];
    try {
      for (const TZ of ['America/St_Johns', 'Pacific/Kiritimati', 'Asia/Kolkata']) {
        process.env['TZ'] = TZ;
        expect((await checkPack(whole, log.key)).valid).toBe(true);
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it.each(['../up', '/root', 'a b', 'LIST.txt', '', 'a//b', 'ü'])('refuses a file named %j', (name) => {
    expect(() => writeList(listOf({ [name]: utf8('x') }), log.key, log.sign)).toThrow(RangeError);
  });
});
