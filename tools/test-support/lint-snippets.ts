/**
 * Lints pieces of code as if they were files of this repository. A program of its own: ESLint loads its
 * configuration and Nx its project graph in a way that a test runner's module loader does not know.
 *
 * in:  [{ "path": "services/x/src/…", "code": "…" }]     out: [["rule: message", …], …]
 */
import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const snippets = JSON.parse(await text(process.stdin)) as { path: string; code: string }[];
const eslint = new ESLint();
const answers: string[][] = [];
for (const { path, code } of snippets) {
  const [result] = await eslint.lintText(code, { filePath: path });
  answers.push((result?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`));
}
process.stdout.write(`${JSON.stringify(answers)}\n`);
