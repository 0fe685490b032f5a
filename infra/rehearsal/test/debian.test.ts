import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '@karaar/testing/scratch';
import { debianMirror } from '../src/images/debian.ts';

let dir: string;
let remove: () => void;
beforeEach(() => ({ dir, remove } = scratch()));
afterEach(() => remove());

describe('debianMirror', () => {
  it('is the one that apt uses, in either way of writing', () => {
    expect(debianMirror(dir)).toBe('http://deb.debian.org/debian');
    writeFileSync(
      join(dir, 'sources.list'),
      '# deb http://no\ndeb [signed-by=/k] https://old/debian bookworm main\n',
    );
    expect(debianMirror(dir)).toBe('https://old/debian');
    mkdirSync(join(dir, 'sources.list.d'));
    writeFileSync(join(dir, 'sources.list.d', 'debian.sources'), 'Types: deb\nURIs: http://new/debian\n');
    expect(debianMirror(dir)).toBe('http://new/debian');
  });
});
