import { join } from 'node:path';
import { startTool } from '@karaar/testing/processes/child';
import { cloneRoot } from '@karaar/testing/roots';

/**
 * Runs one of the project's programs to its end.
 *
 * @param entry its main file, below the clone's root
 * @returns its exit code
 */
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
