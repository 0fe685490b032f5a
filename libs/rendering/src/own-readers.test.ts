/**
 * Our readers of uploaded files (docs/security.md) return a result or their own refusal for any bytes, in
 * steps that grow with the size.
 */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { docx } from '@karaar/testing/made-up/files';
import { RenderError } from './errors.ts';
import { readCompoundFile } from './office/compound-file.ts';
import { partsOfWord } from './office/left-out-parts.ts';
import { checkOffice, officeFilter } from './office/office-check.ts';
import { asSeen } from './office/office-fields.ts';
import { unzipWithin } from './office/unzip-within.ts';
import { withoutLayers } from './pdf/content/content-layers.ts';
import { operations } from './pdf/content/content-tokens.ts';
import { compoundFile, fieldsOfDoc, vbaModule, wordDocument } from './testing/compound-file.ts';
import { isAnimated } from './uploads/png-frames.ts';

/** Another seed makes other bytes: KARAAR_SEED=… */
const SEED = Number(process.env['KARAAR_SEED'] ?? 20_261_127);
const runs = (numRuns: number) => ({ seed: SEED, numRuns });
/** The allowed steps per byte, and the minimum. */
const [PER_BYTE, AT_LEAST] = [60, 20_000];

/** Runs a reader. Only its result or its own refusal may come out. */
function answerOf<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

/**
 * Counts the letters that regular expressions scan during the work.
 * @throws Error above the limit
 */
function lettersRead(work: () => void, atMost: number): number {
  let steps = 0;
  const real = RegExp.prototype.exec;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = real.call(this, text);
    // With a sticky expression, split tests each position alone.
    const to = this.sticky ? from : text.length;
    steps += 1 + ((this.global || this.sticky) && found ? this.lastIndex : to) - from;
    if (steps > 20 * atMost) throw new Error(`${steps} steps, but ${atMost} are allowed`);
    return found;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = real;
  }
  return steps;
}

/** Text with a random beginning that then repeats itself many times. */
const repeated = (words: readonly string[], times: number): fc.Arbitrary<string> => {
  const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(''));
  return fc
    .tuple(text, text, fc.nat(times), text)
    .map(([head, unit, n, tail]) => head + unit.repeat(n) + tail);
};

function changed(file: Uint8Array): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    at: fc.nat(file.length),
    cut: fc.nat(40),
    put: fc.uint8Array({ maxLength: 6 }),
  });
  return fc
    .array(change, { maxLength: 6 })
    .map((changes) =>
      changes.reduce<Uint8Array>(
        (bytes, { at, cut, put }) =>
          Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + (cut > 30 ? cut : put.length))]),
        file,
      ),
    );
}

describe('the check of Word files', () => {
  const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  const words = ['Macros\0', '_VBA_PROJECT\0', 'EncryptedPackage', 'WordDocument\0'].map((word) =>
    Buffer.from(word, 'utf16le'),
  );
  const compound = fc
    .array(
      fc.tuple(fc.constantFrom(...words, Buffer.from('eca5c100', 'hex')), fc.constantFrom(0, 50, 114, 128)),
    )
    .map((parts) =>
      Buffer.concat([OLE, Buffer.alloc(504), ...parts.flatMap(([word, gap]) => [word, Buffer.alloc(gap)])]),
    )
    .chain((file) => fc.nat(200).map((cut) => file.subarray(0, Math.max(8, file.length - cut))));
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    compound,
    changed(docx(['A lease'])),
    changed(docx(['A lease'], { 'word/vbaProject.bin': 'x' })),
  );

  it('returns a result or refuses, whatever the bytes', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom('doc' as const, 'docx' as const), (bytes, kind) => {
        const steps = lettersRead(() => {
          answerOf(() => checkOffice('Lease', kind, bytes));
          officeFilter(kind, bytes);
          answerOf(() => partsOfWord('Lease', kind, bytes));
          asSeen(kind, bytes);
        }, AT_LEAST);
        expect(steps).toBeLessThanOrEqual(AT_LEAST + PER_BYTE * bytes.length);
      }),
      runs(1_000),
    );
  });

  it('ends at a storage name at the very end', () => {
    const [word = OLE] = words;
    const file = Buffer.concat([OLE, Buffer.alloc(504), word]);
    expect(() => checkOffice('Lease', 'doc', file)).not.toThrow();
  });

  it('does not search for entries that a directory states but lacks', () => {
    const file = Buffer.from(docx(['A lease']));
    const end = file.subarray(-22);
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeUInt32LE(0xffff_fff0, 32);
    record.writeUInt32LE(end.readUInt32LE(16), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeUInt32LE(file.length - 22, 8);
    const endless = Buffer.concat([file.subarray(0, -22), record, locator, end]);
    const refused = expect.objectContaining({ code: 'office_broken' });
    lettersRead(() => expect(() => checkOffice('Lease', 'docx', endless)).toThrow(refused), 100_000);
    expect(asSeen('docx', endless)).toBe(endless);
  });
});

describe('compound files', () => {
  const macro = vbaModule('Attribute VB_Name = "ThisDocument"\r\n');
  const module = fc
    .oneof(
      changed(macro),
      fc.nat(macro.length).map((end) => macro.subarray(0, end)),
    )
    .map((bytes) => compoundFile({ 'Macros/VBA/ThisDocument': bytes }));
  const whole = compoundFile({
    WordDocument: wordDocument(),
    'Macros/VBA/dir': Buffer.from('dir'),
    'Macros/VBA/ThisDocument': vbaModule('Attribute VB_Name = "ThisDocument"\r\nSub Open()\r\nEnd Sub'),
    Large: Buffer.alloc(9_000, 'x'),
  });
  /** Numbers of the header, the tables and the directory, which lead from one sector to another. */
  const links = fc.array(
    fc.tuple(fc.nat(whole.length / 4 - 1), fc.oneof(fc.nat(40), fc.constantFrom(0xfffffffe, 0xffffffff))),
    { maxLength: 12 },
  );
  const linked = links.map((all) => {
    const file = Buffer.from(whole);
    for (const [at, number] of all) file.writeUInt32LE(number, 4 * at);
    return file;
  });
  const inputs = fc.oneof(
    linked,
    module,
    changed(whole),
    changed(fieldsOfDoc([19, 20, 21], { isSmall: true })),
  );

  it('are read within their bytes, whatever their links', () => {
    fc.assert(
      fc.property(inputs, (bytes) => {
        const streams = [...(readCompoundFile(bytes)?.values() ?? [])];
        for (const stream of streams) expect(stream.read().length).toBeLessThanOrEqual(bytes.length + 65_536);
        answerOf(() => checkOffice('Lease', 'doc', bytes));
        answerOf(() => partsOfWord('Lease', 'doc', bytes));
        expect(asSeen('doc', bytes)).toHaveLength(bytes.length);
      }),
      runs(600),
    );
  });
});

describe('the frames of a PNG', () => {
  const chunk = fc
    .tuple(
      fc.oneof(fc.nat(40), fc.constantFrom(0xffffffff, 0xfffffff4)),
      fc.constantFrom('acTL', 'IDAT', 'tEXt'),
    )
    .map(([size, type]) => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(size);
      head.write(type, 4, 'latin1');
      return Buffer.concat([head, Buffer.alloc(Math.min(size, 40))]);
    });

  it('are counted within its bytes, whatever its chunks', () => {
    const signature = Buffer.from('89504e470d0a1a0a', 'hex');
    fc.assert(
      fc.property(fc.array(chunk), fc.nat(12), (chunks, cut) => {
        const bytes = Buffer.concat([signature, ...chunks]);
        expect([true, false]).toContain(isAnimated(bytes.subarray(0, Math.max(8, bytes.length - cut))));
      }),
      runs(1_000),
    );
  });
});

describe('the fields of Word files', () => {
  const xml = repeated(
    [
      ...[
        '<w:p>',
        '<w:r>',
        '<w:t>',
        '</w:t>',
        'a',
        ' ',
        '<',
        '>',
        '/',
        '"',
        "'",
        '<w:instrText>',
        '</w:instrText>',
      ],
      ...['begin', 'separate', 'end'].map((type) => `<w:fldChar w:fldCharType="${type}"/>`),
      ...['AUTHOR', 'FILENAME \\p ', 'PAGE', '<w:fldSimple w:instr="AUTHOR">', '</w:fldSimple>'],
      ...['<Relationship ', 'TargetMode="External" ', 'Target="x"', '/>'],
    ],
    400,
  );
  const rtf = repeated(
    [
      '{',
      '}',
      '\\field',
      '{\\*\\fldinst ',
      '{\\fldrslt ',
      'AUTHOR',
      'FILENAME \\\\p',
      "\\'41",
      '\\*',
      'a',
      '\n',
      '\\bin9 ',
    ],
    2_000,
  );

  it('in DOCX and RTF are read to their end, whatever their content', () => {
    const parts = fc.record({
      'word/document.xml': xml,
      'word/footer1.xml': xml,
      'word/_rels/document.xml.rels': xml,
    });
    const files = fc.oneof(
      parts.map((all) => ({
        kind: 'docx' as const,
        bytes: docx([], all),
        size: Object.values(all).join('').length,
      })),
      rtf.map((text) => {
        const bytes = Buffer.from(`{\\rtf1${text}`, 'latin1');
        return { kind: 'doc' as const, bytes, size: bytes.length };
      }),
    );
    fc.assert(
      fc.property(files, ({ kind, bytes, size }) => {
        const atMost = AT_LEAST + PER_BYTE * size;
        expect(lettersRead(() => asSeen(kind, bytes), atMost)).toBeLessThanOrEqual(atMost);
        const parts = (): unknown => answerOf(() => partsOfWord('Lease', kind, bytes));
        expect(lettersRead(parts, atMost)).toBeLessThanOrEqual(atMost);
      }),
      runs(200),
    );
  });

  it('in RTF are scanned once, if any number of control words follows a switch', () => {
    const text = `{\\rtf1{\\field{\\*\\fldinst FILENAME \\\\${'\\a '.repeat(40)}x}{\\fldrslt f}}}`;
    const read = (): Uint8Array => asSeen('doc', Buffer.from(text));
    // Two ways to match each word would mean 2^40 attempts.
    expect(runInNewContext('read()', { read }, { timeout: 5_000 })).toHaveLength(text.length);
  });
});

describe('the parts of a DOCX', () => {
  it('are not unpacked beyond the size in their directory', () => {
    const honest = docx([], { 'word/document.xml': '<w:p/>'.repeat(10_000) });
    expect(unzipWithin(honest, () => true).get('word/document.xml')).toHaveLength(60_000);
    const file = Buffer.from(honest);
    for (let at = file.indexOf('PK\x01\x02'); at >= 0; at = file.indexOf('PK\x01\x02', at + 4))
      file.writeUInt32LE(100, at + 24);
    expect(() => unzipWithin(file, () => true)).toThrow(RangeError);
  });
});

describe('the operations of content', () => {
  /** Returns bytes that count their reads. */
  function watched(bytes: Uint8Array): { bytes: Uint8Array; steps: () => number } {
    let steps = 0;
    const proxy = new Proxy(bytes, {
      get(target, key) {
        steps += 1;
        if (key === 'indexOf')
          return (byte: number, from: number) => {
            const at = target.indexOf(byte, from);
            steps += (at < 0 ? target.length : at) - from;
            return at;
          };
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return { bytes: proxy, steps: () => steps };
  }

  const content = repeated(
    [
      '[',
      ']',
      '<<',
      '>>',
      '<',
      '>',
      '(',
      ')',
      '\\',
      '%',
      '\n',
      ' ',
      '/N',
      '1 ',
      'q',
      'BI ',
      ' ID ',
      ' EI ',
      'true ',
      '\xff',
      '{',
    ],
    500,
  );

  it('end within the bytes, in order and after few reads of each, whatever the content', () => {
    fc.assert(
      fc.property(content, (text) => {
        const { bytes, steps } = watched(Buffer.from(text, 'latin1'));
        const found = [...operations(bytes)];
        const bad = found.filter(
          ({ start, end, operands }, i) =>
            start < (found[i - 1]?.end ?? 0) || end > text.length || operands.length > 64,
        );
        expect(bad).toEqual([]);
        withoutLayers(Buffer.from(text, 'latin1'), () => 'hidden');
        expect(steps()).toBeLessThanOrEqual(AT_LEAST + PER_BYTE * text.length);
      }),
      runs(150),
    );
  });

  it.each(['[', '<<', '(', '<</A[', '{'])('end if %s is open a million times', (sign) => {
    expect([...operations(Buffer.from(`${sign.repeat(1_000_000)} q`))].length).toBeLessThanOrEqual(1);
  });

  it('keep a limited number of operands, not a million', () => {
    const [operation] = operations(Buffer.from(`${'1 '.repeat(1_000_000)}2 3 l`));
    expect(operation?.operands.length).toBeLessThanOrEqual(64);
    expect(operation?.operands.at(-1)).toEqual([2_000_002, 2_000_003]);
  });
});
