import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that a benchmark needs as its peer. */
export type Tool = {
  command: string;
  /** The Debian packages that have it. */
  debian: readonly string[];
  /** Folders beside PATH; one `*` stands for any version, the newest wins. */
  alsoIn?: readonly string[];
  /** Arguments with which it ends without a fault when all it needs is there. */
  probe?: readonly string[];
};

/**
 * Finds a peer's program, installing its Debian packages when this is root on Debian or Ubuntu.
 * @throws Error that names the command to run when it cannot be installed here
 */
export function ensureTool(tool: Tool): string {
  const found = findTool(tool);
  if (found !== null) return found;
  const install = ['install', '-y', '--no-install-recommends', ...tool.debian];
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log(`Installing ${tool.debian.join(', ')} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [['update', '-q'], install]) execFileSync('apt-get', args, { stdio: 'ignore', env });
  }
  const installed = findTool(tool);
  if (installed === null)
    throw new Error(`This benchmark needs ${tool.command}. Install it: sudo apt-get ${install.join(' ')}`);
  return installed;
}

/** Where a program is, or null. */
export function findTool(
  { command, alsoIn = [], probe }: Tool,
  path = process.env['PATH'] ?? '',
): string | null {
  const folders = [...path.split(delimiter), ...alsoIn.flatMap(expand)].filter((folder) => folder !== '');
  const works = (program: string): boolean => {
    if (!existsSync(program)) return false;
    if (probe === undefined) return true;
    try {
      execFileSync(program, probe, { stdio: 'ignore' });
      return true;
    } catch {
      // It ends with a fault while a package is missing.
      return false;
    }
  };
  return folders.map((folder) => join(folder, command)).find(works) ?? null;
}

function expand(pattern: string): string[] {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return [pattern];
  if (!existsSync(before)) return [];
  const versions = readdirSync(before).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => `${before}${version}${after}`);
}
