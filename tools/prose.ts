/**
 * The Markdown files, held to docs/STYLE.md as far as a rule can: the part of `npm run lint` that ESLint does not do.
 * Comments are held to the same phrases by tools/eslint/plain-comments.mjs.
 */
import { pathToFileURL } from 'node:url';
import { unclearPhrases } from './eslint/plain-words.ts';
import { sourceFiles, textOf } from './testing/source-files.ts';

/** Files whose words are not ours to change, or not changed yet. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'docs/spec.md': 'the specification as it was given',
  'docs/security.md': 'not rewritten yet',
};

/** Blocks of a Markdown text with their first lines: paragraphs, list items and table rows; code is left out. */
function blocksOf(markdown: string): { line: number; text: string }[] {
  const blocks: { line: number; text: string }[] = [];
  let open = false;
  let fenced = false;
  for (const [i, line] of markdown.split('\n').entries()) {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    const text = fence || fenced ? '' : line.replace(/`[^`]*`/g, '…').trim();
    const last = blocks.at(-1);
    if (text === '') open = false;
    else if (open && last && !/^(\||#|>|[-*] |\d+\. )/.test(text)) last.text += ` ${text}`;
    else {
      blocks.push({ line: i + 1, text: text.replace(/^([-*#>]+|\d+\.) /, '') });
      open = true;
    }
  }
  return blocks;
}

/** The unclear phrases of a Markdown text, one line each. */
export const unclearMarkdown = (path: string, markdown: string): string[] =>
  blocksOf(markdown).flatMap(({ line, text }) =>
    unclearPhrases(text).map(
      ({ found, index, advice }) =>
        `${path}:${line} says “${found}” in “${text.slice(Math.max(0, index - 40), index + 60)}”: ${advice}`,
    ),
  );

/** The unclear phrases of all Markdown files of the repository, one line each. */
export const unclearDocuments = (): string[] =>
  sourceFiles('*.md')
    .filter((path) => LEFT_OUT[path] === undefined)
    .flatMap((path) => unclearMarkdown(path, textOf(path)));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = unclearDocuments();
  for (const line of found) console.error(line);
  if (found.length > 0) console.error(`${found.length} unclear phrases in Markdown files (docs/STYLE.md)`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
