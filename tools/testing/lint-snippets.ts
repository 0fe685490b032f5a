/**
 * Lints snippets as if they were files of this repository. A separate process, because Jest's module loader
 * cannot load the ESLint configuration and Nx's project graph.
 *
 * in:  [{ "path": "services/x/src/…", "code": "…" }]     out: [["rule: message", …], …]
 *
 * ESLint's type-aware rule runs only if a file exists at the path; the snippet replaces its text. Oxlint reads
 * copies of the snippets, so a relative import has no type there.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ESLint, type Linter } from 'eslint';
import ts from 'typescript-eslint';
import { root } from './source-files.ts';

const snippets = JSON.parse(await text(process.stdin)) as { path: string; code: string }[];
const files = ['**/*.{ts,tsx}'];
const typed = new ESLint({
  overrideConfig: {
    files: ['**/*.tsx'],
    // Otherwise ESLint would read the programs once, with the files' content on disk.
    languageOptions: { parserOptions: { disallowAutomaticSingleRunInference: true } },
  },
});
const untyped = new ESLint({
  overrideConfig: { ...(ts.configs.disableTypeChecked as Linter.Config), files },
});
const answers: string[][] = [];
for (const { path, code } of snippets) {
  const [result] = await (existsSync(path) ? typed : untyped).lintText(code, { filePath: path });
  answers.push((result?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`));
}
for (const { filename, code, message } of await oxlint())
  answers[Number(basename(filename, extname(filename)))]?.push(`${code}: ${message}`);
process.stdout.write(`${JSON.stringify(answers)}\n`);

async function oxlint(): Promise<{ filename: string; code: string; message: string }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-lint-'));
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const config = { extends: join(root, 'tsconfig.browser.json'), include: ['*'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const copies = snippets.map(({ path }, i) => join(folder, `${i}${extname(path)}`));
    for (const [i, { code }] of snippets.entries()) await writeFile(copies[i] ?? '', code);
    const args = ['--config', join(root, '.oxlintrc.json'), '--format', 'json', ...copies];
    // It ends with 1 when it reports something.
    const output = await new Promise<string>((resolve) => {
      execFile(join(root, 'node_modules/.bin/oxlint'), args, { cwd: root }, (_error, stdout) =>
        resolve(stdout),
      );
    });
    return (JSON.parse(output) as { diagnostics: Awaited<ReturnType<typeof oxlint>> }).diagnostics;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
