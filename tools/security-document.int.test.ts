/** docs/security.md is whole, and names only what exists. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, textOf } from './testing/source-files.ts';

const text = textOf('docs/security.md');
/** As docs/operations.md lists them; that it lists all is held by tools/docs.int.test.ts. */
const checks = [
  ...textOf('e2e/security/checks.ts').matchAll(/^import \{.*\} from '\.\/(?:[\w-]+\/)?([\w-]+)\.ts'/gm),
].map(([, file]) => file ?? '');

/** The part below a heading of the second level. */
function part(heading: string): string {
  const from = text.indexOf(`\n## ${heading}`);
  if (from < 0) throw new Error(`no part ${heading}`);
  const to = text.indexOf('\n## ', from + 4);
  return text.slice(from, to < 0 ? undefined : to);
}

/** Rows of the tables below each heading of the third level, without their heads. */
function tablesOf(within: string): Map<string, string[][]> {
  const found = new Map<string, string[][]>();
  for (const section of within.split('\n### ').slice(1)) {
    const [heading = '', ...lines] = section.split('\n');
    const rows = lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '));
    found.set(
      heading,
      rows.slice(1).filter(([first]) => !first?.startsWith('---')),
    );
  }
  return found;
}

const named = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '');
/** Checks have one word, all else is a path. */
const isThere = (word: string): boolean =>
  word.includes('/') ? existsSync(join(root, word)) : checks.includes(word);

const boundaries = tablesOf(part('Trust boundaries and threats'));

it('knows the boundaries', () => {
  expect(boundaries.size).toBeGreaterThanOrEqual(12);
});

it.each([...boundaries])('%s: each kind of threat has an answer', (_, rows) => {
  const letters = rows.flatMap(([first = '']) => first.trim().split(', '));
  expect([...new Set(letters)].sort()).toEqual(['D', 'E', 'I', 'R', 'S', 'T']);
  expect(rows.filter((cells) => cells.length !== 4)).toEqual([]);
});

it.each([...boundaries])('%s: what is named as a test exists, and what has none says so', (_, rows) => {
  const tests = rows.map((cells) => cells.at(-1) ?? '');
  expect(tests.flatMap(named).filter((word) => !isThere(word))).toEqual([]);
  const without = rows.filter((cells) => named(cells.at(-1) ?? '').length === 0);
  expect(without.filter(([, , answer]) => !answer?.includes('not held'))).toEqual([]);
});

/** Sections of each chapter of ASVS 5.0.0. */
const SECTIONS = [5, 4, 7, 4, 4, 8, 6, 4, 2, 7, 7, 3, 4, 3, 4, 5, 3];
const STATES = ['held', 'in part', 'not held', 'not used', 'level 3'];
const chapters = tablesOf(part('OWASP ASVS 5.0, level 2'));

it('has every section of every chapter of ASVS 5.0, in order, with a state', () => {
  const sections = [...chapters.values()].flat().map(([first = '']) => first.split(' ')[0]);
  expect(sections).toEqual(
    SECTIONS.flatMap((count, chapter) => Array.from({ length: count }, (_, i) => `${chapter + 1}.${i + 1}`)),
  );
  expect([...chapters.keys()].map((heading) => heading.split(' ')[0])).toEqual(
    SECTIONS.map((_, i) => `V${i + 1}`),
  );
  const states = [...chapters.values()].flat().map(([, state = '']) => state.trim());
  expect(states.filter((state) => !STATES.includes(state))).toEqual([]);
});

it.each([...chapters])('%s: what holds it is named and exists, what is open is said', (_, rows) => {
  const held = rows.map((cells) => cells[2] ?? '');
  const words = held.flatMap(named).filter((word) => word.includes('/') || /^[a-z-]+$/.test(word));
  expect(words.filter((word) => !isThere(word) && !['https', 'auth', 'no-store'].includes(word))).toEqual([]);
  expect(rows.filter(([, state, by = '']) => state?.trim() === 'in part' && !/Open|open/.test(by))).toEqual(
    [],
  );
});
