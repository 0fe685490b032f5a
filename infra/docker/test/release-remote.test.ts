import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releaseRemote } from '../src/release-remote.ts';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'karaar-release-'))));
afterEach(() => rmSync(dir, { recursive: true }));

/** Writes a build with one chunk of this name. */
function build(name: string, chunk: string): string {
  const folder = join(dir, name);
  mkdirSync(join(folder, 'pdfjs'), { recursive: true });
  writeFileSync(join(folder, chunk), name);
  writeFileSync(join(folder, 'pdfjs', 'font.ttf'), name);
  writeFileSync(join(folder, 'manifest.json'), name);
  return folder;
}

describe('releaseRemote', () => {
  it('adds the files of a release to those of the earlier one and publishes the new manifest', () => {
    const target = join(dir, 'served');
    releaseRemote(build('one', '1.aaaaaaaaaa.js'), target);
    releaseRemote(build('two', '1.bbbbbbbbbb.js'), target);
    const text = (file: string) => readFileSync(join(target, file), 'utf8');
    expect(text('1.aaaaaaaaaa.js')).toBe('one');
    expect(text('1.bbbbbbbbbb.js')).toBe('two');
    expect(text('pdfjs/font.ttf')).toBe('two');
    expect(text('manifest.json')).toBe('two');
  });

  it('changes nothing if the build is incomplete', () => {
    const target = build('served', '1.aaaaaaaaaa.js');
    const broken = build('broken', '1.cccccccccc.js');
    rmSync(join(broken, 'manifest.json'));
    expect(() => releaseRemote(broken, target)).toThrow('it is not a build of a remote');
    expect(existsSync(join(target, '1.cccccccccc.js'))).toBe(false);
    expect(readFileSync(join(target, 'manifest.json'), 'utf8')).toBe('served');
  });
});
