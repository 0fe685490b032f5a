/** The rows, levels and tests of this repository, judged. */
import { judge, parseExceptions, parseRows, type Verdict } from './conformance-rows.ts';
import { sourceFiles, textOf } from './testing/source-files.ts';

const testFiles = (): { path: string; source: string }[] =>
  sourceFiles('*.test.ts', '*.test.tsx', '*.e2e.ts', '*.slow.ts').map((path) => ({
    path,
    source: textOf(path),
  }));

export const judgeRepository = (): Verdict =>
  judge(
    parseRows(textOf('docs/conformance.tsv')),
    parseExceptions(textOf('docs/conformance-levels.tsv')),
    testFiles(),
  );
