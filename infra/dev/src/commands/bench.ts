import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../../bootstrap/report.mjs';
import { cloneRoot } from '../roots.ts';
import { tool } from './tool.ts';

/**
 * `npm run bench -- NAME …`: runs `bench/NAME/main.ts` with the remaining arguments.
 *
 * @returns its exit code
 * @throws SetupError that lists the benchmarks when there is none of this name
 */
export async function bench([name, ...args]: string[]): Promise<number> {
  const known = benchmarks(join(cloneRoot, 'bench'));
  if (name === undefined || !known.includes(name)) {
    throw new SetupError(`Usage: npm run bench -- NAME\nBenchmarks: ${known.join(', ') || 'none yet'}`);
  }
  return tool(join('bench', name, 'main.ts'), args);
}

function benchmarks(folder: string): string[] {
  return readdirSync(folder).filter((entry) => existsSync(join(folder, entry, 'main.ts')));
}
