import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startChild, startTool } from '@karaar/testing/processes/child';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';

/** Runs one of the project's programs to its end and returns its exit code. */
export async function tool(entry: string, args: readonly string[], env = process.env): Promise<number> {
  const started = await startTool({
    name: entry,
    command: process.execPath,
    args: [join(cloneRoot, entry), ...args],
    cwd: cloneRoot,
    env,
  });
  const { code } = await started.exited;
  return code ?? 1;
}

/**
 * Runs a program with its output in a log file. Returns undefined on success, else how it ended and its
 * output.
 */
export async function faultOf(
  name: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  abort: AbortSignal,
): Promise<{ how: string; lines: string[]; logFile: string } | undefined> {
  const logFile = join(stateRoot, 'logs', `${name}.log`);
  rmSync(logFile, { force: true });
  const recordFile = join(stateRoot, 'run', `${name}.json`);
  const child = await startChild({
    ...{ name, command, args, cwd: cloneRoot, env, logFile, recordFile },
    stopSignal: 'SIGTERM',
  });
  const stop = (): void => void child.stop();
  abort.addEventListener('abort', stop);
  const { code, text: how } = await child.exited;
  abort.removeEventListener('abort', stop);
  return code === 0
    ? undefined
    : { how, lines: readFileSync(logFile, 'utf8').trimEnd().split('\n'), logFile };
}
