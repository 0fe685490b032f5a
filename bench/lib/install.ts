import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that a benchmark needs as its peer. */
export type Tool = {
  command: string;
  debian: readonly string[];
  /** Further folders after PATH; `*` matches any version, the newest first. */
  alsoIn?: readonly string[];
};

/** Returns a peer's program; as root on Debian it installs the packages, otherwise it throws an Error that names them. */
export function ensureTool(tool: Tool): string {
  const install = ['install', '-y', '--no-install-recommends', ...tool.debian];
  if (findTool(tool) === null && process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log(`Installing ${tool.debian.join(', ')} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [['update', '-q'], install]) execFileSync('apt-get', args, { stdio: 'ignore', env });
  }
  const found = findTool(tool);
  if (found === null)
    throw new Error(`This benchmark needs ${tool.command}. Install it: sudo apt-get ${install.join(' ')}`);
  return found;
}

/** Returns the path of a program that works, or null. */
export function findTool({ command, alsoIn = [] }: Tool, path = process.env['PATH'] ?? ''): string | null {
  const versions = globSync([...alsoIn]).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const programs = [...path.split(delimiter), ...versions].map((folder) => join(folder, command));
  return programs.find((program) => existsSync(program)) ?? null;
}
