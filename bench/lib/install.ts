import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A tool that a benchmark needs as its peer. */
export type Tool = {
  command: string;
  /** The Debian package that has it. */
  debian: string;
  /** Folders beside PATH; one `*` stands for any version, the newest wins. */
  alsoIn?: readonly string[];
};

/**
 * Finds a peer's program, installing its Debian package when this is root on Debian or Ubuntu.
 * @throws Error that names the command to run when it cannot be installed here
 */
export function ensureTool(tool: Tool): string {
  const found = findTool(tool);
  if (found !== null) return found;
  const root = process.getuid?.() === 0 && existsSync('/etc/debian_version');
  const install = `apt-get install -y --no-install-recommends ${tool.debian}`;
  if (root) {
    console.log(`Installing ${tool.debian} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
    execFileSync('apt-get', install.split(' ').slice(1), { stdio: 'ignore', env });
  }
  const installed = findTool(tool);
  if (installed === null)
    throw new Error(`This benchmark needs ${tool.command}. Install it: sudo ${install}`);
  return installed;
}

/** Where a program is, or null. */
export function findTool({ command, alsoIn = [] }: Tool, path = process.env['PATH'] ?? ''): string | null {
  const folders = [...path.split(delimiter), ...alsoIn.flatMap(expand)];
  for (const folder of folders) {
    if (folder !== '' && existsSync(join(folder, command))) return join(folder, command);
  }
  return null;
}

function expand(pattern: string): string[] {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return [pattern];
  if (!existsSync(before)) return [];
  const versions = readdirSync(before).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => `${before}${version}${after}`);
}
