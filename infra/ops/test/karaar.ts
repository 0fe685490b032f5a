/** Runs the operator's tool as a process; returns its output and exit code. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const karaar = async (args: string[], env: Record<string, string>) => {
  const cli = join(import.meta.dirname, '../src/cli.ts');
  return promisify(execFile)(process.execPath, [cli, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
  );
};
