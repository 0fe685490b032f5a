/**
 * Lints snippets as if they were files of this repository. A separate process, because Jest's module loader
 * cannot load the ESLint configuration and Nx's project graph.
 *
 * in:  [{ "path": "services/x/src/…", "code": "…" }]     out: [["rule: message", …], …]
 *
 * Type-aware rules run only if a file exists at the path; the snippet replaces its text.
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
process.stdout.write(`${JSON.stringify(answers)}\n`);
