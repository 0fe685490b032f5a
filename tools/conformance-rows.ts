/**
 * Matches the rows of the specification with the tests that prove them. A row that users see on a screen
 * needs a browser journey, a row about an API call needs a test over HTTP, and some rows need both: a unit
 * test would pass even if the screen did not use the function. `docs/conformance-levels.tsv` lists other
 * levels with the reason.
 */
import { titlesOf } from './test-titles.ts';
import { sourceFiles, textOf } from './testing/source-files.ts';

const LEVELS = ['screen', 'http', 'service', 'domain', 'pdf', 'operations'] as const;
export type Level = (typeof LEVELS)[number];

export type Row = { id: string; area: string; via: string; statement: string };
/** The levels of a row that differ from those of its `via`. */
export type Exception = { id: string; levels: Level[] };
export type Proof = { path: string; line: number; level: Level };
export type Judged = Row & { needs: Level[]; proofs: Proof[]; lacks: Level[] };
export type Verdict = {
  rows: Judged[];
  faults: string[];
};

const ID = /\[([A-Z]+-\d{3})\]/g;
const BY_VIA: Record<string, Level[]> = { ui: ['screen'], api: ['http'], both: ['screen', 'http'] };

const cells = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

export const parseRows = (text: string): Row[] =>
  cells(text).map(([id = '', area = '', via = '', statement = '']) => ({ id, area, via, statement }));

/** Parses tab-separated exceptions with a header; levels are separated by commas. */
export const parseExceptions = (text: string): Exception[] =>
  cells(text).map(([id = '', levels = '']) => ({
    id,
    levels: levels.split(',') as Level[],
  }));

const rowsNamedIn = (text: string): string[] => [...text.matchAll(ID)].map((match) => match[1] ?? '');

/**
 * Returns what a test file observes: a page in a browser, HTTP responses, a service, a PDF, pure rules or
 * operations.
 */
export function levelOf(path: string, source: string): Level {
  if (/^e2e\/(?:main|journeys)\//.test(path))
    return /from '\.\.\/src\/(?:browser\/opened|identity-world|sending|test-file)\.ts'/.test(source)
      ? 'screen'
      : 'http';
  if (path.startsWith('gateway/test/')) return 'http';
  if (/^services\/[^/]+\/test\//.test(path))
    return /\bstartApi\b|\bcreateApp\(|\bfetch\(/.test(source) ? 'http' : 'service';
  if (/\.repository\.int\.test\.ts$/.test(path)) return 'service';
  if (/^libs\/(?:rendering|sealing|pdf-syntax)\//.test(path)) return 'pdf';
  return /^(?:infra|bench|e2e)\//.test(path) ? 'operations' : 'domain';
}

export function judge(
  rows: readonly Row[],
  exceptions: readonly Exception[],
  tests: readonly { path: string; source: string }[],
): Verdict {
  const known = new Set(rows.map(({ id }) => id));
  const faults: string[] = [];
  const proofs = new Map<string, Proof[]>();
  for (const { path, source } of tests) {
    if (!source.includes('[')) continue;
    const level = levelOf(path, source);
    for (const { text, line, group } of titlesOf(source, path))
      for (const id of rowsNamedIn(text)) {
        const at = `${path}:${line}`;
        if (!known.has(id)) faults.push(`${at} names ${id}, which no row has`);
        else if (group)
          faults.push(`${at} names ${id} in the title of a group: name it in the test that proves it`);
        else proofs.set(id, [...(proofs.get(id) ?? []), { path, line, level }]);
      }
  }
  const excepted = new Map(exceptions.map((each) => [each.id, each]));
  for (const { id, levels } of exceptions) {
    const row = rows.find((each) => each.id === id);
    if (!row) faults.push(`the levels name ${id}, which no row has`);
    if (levels.some((level) => !LEVELS.includes(level)))
      faults.push(`${id}: unknown level: ${levels.join()}`);
    if (levels.join() === BY_VIA[row?.via ?? '']?.join())
      faults.push(`${id} needs no exception: ${row?.via}`);
  }
  return {
    rows: rows.map((row) => {
      const needs = excepted.get(row.id)?.levels ?? BY_VIA[row.via] ?? [];
      const found = proofs.get(row.id) ?? [];
      const lacks = needs.filter((level) => !found.some((proof) => proof.level === level));
      return { ...row, needs, proofs: found, lacks };
    }),
    faults,
  };
}

export const judgeRepository = (): Verdict =>
  judge(
    parseRows(textOf('docs/conformance.tsv')),
    parseExceptions(textOf('docs/conformance-levels.tsv')),
    sourceFiles('*.test.ts', '*.test.tsx', '*.e2e.ts', '*.slow.ts').map((path) => ({
      path,
      source: textOf(path),
    })),
  );
