/** Finds keys and tokens in the files of the repository. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { cloneRoot } from '@karaar/testing/roots';
import pMap from 'p-map';
import type { FileCheck, Finding } from '../check.ts';

const BINARY = /\.(png|jpe?g|webp|pdf|woff2?|ttf|otf|onnx|tflite|ico|gz|br|zip|docx?)$/i;
const LARGEST = 2 * 1024 * 1024;
const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] };

/** Returns the places of secrets, without the secrets themselves. */
export async function secretsIn(path: string, content: string): Promise<Finding[]> {
  const { messages } = await lintSource({
    source: { filePath: path, content, ext: path.slice(path.lastIndexOf('.')), contentType: 'text' },
    options: { config },
  });
  return messages.map(({ loc, ruleId }) => ({
    where: `${path}:${loc.start.line}`,
    what: `looks like a secret (${ruleId})`,
  }));
}

export async function secretsInRepository(): Promise<Finding[]> {
  const git = { cwd: cloneRoot, maxBuffer: LARGEST * 8 };
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], git);
  const paths = stdout.split('\0').filter((path) => path !== '' && !BINARY.test(path));
  const look = async (path: string) => {
    const content = await readFile(join(cloneRoot, path), 'utf8');
    return content.length > LARGEST ? [] : secretsIn(path, content);
  };
  return (await pMap(paths, look, { concurrency: 4 })).flat();
}

export const secrets: FileCheck = {
  name: 'secrets',
  holds: 'no file of the repository has a key, token or password in use',
  look: secretsInRepository,
};
