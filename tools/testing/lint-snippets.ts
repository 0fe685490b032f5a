/**
 * Lints pieces of code as if they were files of this repository. A program of its own: ESLint loads its
 * configuration and Nx its project graph in a way that a test runner's module loader does not know.
 *
 * in:  [{ "path": "services/x/src/…", "code": "…" }]     out: [["rule: message", …], …]
 *
 * Rules that read types run on the path of a file that is there, whose text the code stands in for; a path that the
 * programs do not know is linted by the other rules.
 */
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { ESLint, type Linter } from 'eslint';
import ts from 'typescript-eslint';

const snippets = JSON.parse(await text(process.stdin)) as { path: string; code: string }[];
const files = ['**/*.{ts,tsx}'];
const typed = new ESLint({
  overrideConfig: {
    files,
    // Else the programs would be read once, and with what the files hold on the disk.
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
process.stdout.write(`${JSON.stringify(answers)}\n`);
