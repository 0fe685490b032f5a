import { unzipSync, zipSync } from 'fflate';
import { docx } from '@karaar/testing/made-up/files';
import { compoundFile, vbaModule, wordDocument } from '../testing/compound-file.ts';
import { readCompoundFile } from './compound-file.ts';
import { checkOffice, officeFilter } from './office-check.ts';

const EMPTY = vbaModule('Attribute VB_Base = "1Normal.ThisDocument"\r\nOption Explicit\r\n\' a note\r\n\r\n');
const MACRO = vbaModule('Sub AutoOpen()\r\nMsgBox "x"\r\nEnd Sub\r\n');
const checkDoc = (streams: Record<string, Uint8Array>) => () =>
  checkOffice('old.doc', 'doc', compoundFile({ WordDocument: wordDocument(), ...streams }));
const checkDocx = (project: Record<string, Uint8Array>, path = 'word/vbaProject.bin') => {
  const bytes = zipSync({ ...unzipSync(docx(['x'])), [path]: compoundFile(project) });
  return () => checkOffice('a.docx', 'docx', bytes);
};

describe('a compound file is read', () => {
  it('with small and large streams, in storages, whatever the case of their names', () => {
    const large = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 251));
    const file = readCompoundFile(
      compoundFile({ WORDDocument: Buffer.from('small'), 'A/b/C': large, 'A/D': large.subarray(0, 5000) }),
    );
    expect([...(file?.keys() ?? [])].sort()).toEqual(['a/b/c', 'a/d', 'worddocument']);
    expect(file?.get('worddocument')?.read().toString()).toBe('small');
    expect(file?.get('a/b/c')?.read().equals(large)).toBe(true);
    expect(file?.get('a/d')?.size).toBe(5000);
  });

  it('finds the position of a stream byte in the file', () => {
    const bytes = compoundFile({
      small: Buffer.alloc(200, 1),
      large: Buffer.from(Array.from({ length: 9000 }, (_, i) => i % 251)),
    });
    const large = readCompoundFile(bytes)?.get('large');
    for (const at of [0, 511, 512, 8999]) expect(bytes[large?.placeOf(at) ?? 0]).toBe(at % 251);
    expect(bytes[readCompoundFile(bytes)?.get('small')?.placeOf(199) ?? 0]).toBe(1);
  });

  it('in time and without a fault for hostile bytes', () => {
    const whole = compoundFile({
      WordDocument: wordDocument(),
      'Macros/VBA/x': EMPTY,
      large: Buffer.alloc(20_000),
    });
    const begun = performance.now();
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 0x7fffffff) % below;
    for (let round = 0; round < 3000; round += 1) {
      const bytes = Buffer.from(whole.subarray(0, random(8) === 0 ? random(whole.length) : whole.length));
      for (let change = 0; change <= random(6); change += 1) {
        const at = random(Math.max(1, bytes.length));
        if (at >= 8) bytes[at] = [0, 0xff, 0xfe, random(256)][random(4)] ?? 0;
      }
      for (const stream of readCompoundFile(bytes)?.values() ?? [])
        expect(stream.read().length).toBeLessThanOrEqual(stream.size);
      try {
        checkOffice('a.doc', 'doc', bytes);
      } catch (error) {
        expect(error).toMatchObject({ name: 'RenderError' });
      }
    }
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

describe('a password is reported only if the file itself has one', () => {
  const refusal = 'protected with a password';

  it('of a locked package, of a locked document', () => {
    const locked = compoundFile({ EncryptionInfo: Buffer.alloc(90), EncryptedPackage: Buffer.alloc(5000) });
    expect(() => checkOffice('a.docx', 'docx', locked)).toThrow(refusal);
    expect(checkDoc({ WordDocument: wordDocument(0x0100) })).toThrow(refusal);
    expect(() => checkOffice('a.doc', 'doc', compoundFile({ WORDDOCUMENT: wordDocument(0x0100) }))).toThrow(
      refusal,
    );
  });

  it('not of a locked file that is embedded as an object', () => {
    expect(
      checkDoc({
        'ObjectPool/_1/EncryptedPackage': Buffer.alloc(900),
        'ObjectPool/_2/WordDocument': wordDocument(0x0100),
      }),
    ).not.toThrow();
    expect(checkDoc({ Data: Buffer.from('EncryptedPackage', 'utf16le') })).not.toThrow();
  });
});

describe('macros are reported only if a project has code', () => {
  it.each(['Macros', 'MACROS', '_VBA_PROJECT_CUR', 'ObjectPool/_1/Macros'])('in %s of a DOC', (storage) => {
    expect(checkDoc({ [`${storage}/VBA/ThisDocument`]: EMPTY, [`${storage}/VBA/Module1`]: MACRO })).toThrow(
      'contains macros',
    );
    expect(
      checkDoc({
        [`${storage}/VBA/ThisDocument`]: EMPTY,
        [`${storage}/VBA/dir`]: Buffer.from('x'),
        [`${storage}/VBA/_VBA_PROJECT`]: Buffer.from('x'),
      }),
    ).not.toThrow();
  });

  it('in a DOCX, whatever the name of the part', () => {
    for (const path of [
      'word/vbaProject.bin',
      'word/VBAPROJECT.BIN',
      'vbaProject.bin',
      'custom/vbaProject.bin',
    ]) {
      expect(checkDocx({ 'VBA/ThisDocument': MACRO }, path)).toThrow('contains macros');
      expect(checkDocx({ 'VBA/ThisDocument': EMPTY, 'VBA/dir': Buffer.alloc(9) }, path)).not.toThrow();
    }
  });

  it('a module that cannot be read counts as one with macros, an empty project does not', () => {
    expect(checkDoc({ 'Macros/VBA/Module1': Buffer.from('no source here') })).toThrow('contains macros');
    expect(checkDoc({ 'Macros/VBA/Module1': MACRO.subarray(0, 905) })).toThrow('contains macros');
    expect(checkDoc({ 'Macros/PROJECT': Buffer.from('x') })).not.toThrow();
    expect(checkDoc({ 'Macros/VBA/dir': Buffer.from('x') })).not.toThrow();
  });

  it('a long module is read to its end', () => {
    expect(checkDoc({ 'Macros/VBA/Module1': vbaModule(`${"' a note\r\n".repeat(900)}x = 1\r\n`) })).toThrow(
      'contains macros',
    );
    expect(checkDoc({ 'Macros/VBA/Module1': vbaModule("' a note\r\n".repeat(900)) })).not.toThrow();
  });
});

it('a document whose stream name has another case is opened with the right filter', () => {
  const old = Buffer.alloc(5000);
  for (const [at, value] of [
    [0, 0xa5dc],
    [2, 101],
  ] as const)
    old.writeUInt16LE(value, at);
  expect(officeFilter('doc', compoundFile({ WORDDOCUMENT: old }))).toBe('MS WinWord 6.0');
  // An embedded document does not decide.
  const bytes = compoundFile({ 'ObjectPool/_1/WordDocument': old, WordDocument: wordDocument() });
  expect(officeFilter('doc', bytes)).toBe('MS Word 97');
});

it('a package whose folder name has another case is a Word file', () => {
  const { 'word/document.xml': document = new Uint8Array(0), ...rest } = unzipSync(docx(['x']));
  const bytes = zipSync({ ...rest, 'Word/Document.xml': document });
  expect(() => checkOffice('a.docx', 'docx', bytes)).not.toThrow();
});
