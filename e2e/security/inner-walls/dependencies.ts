/** Known weaknesses of the packages that the product runs with, as the registry knows them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { FileCheck, Finding } from '../check.ts';

type Report = {
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
  message?: string;
  error?: { summary?: string };
};

const SERIOUS: readonly string[] = ['high', 'critical'];

/** @param report what `npm audit --json` printed */
export function seriousOf(report: string): Finding[] {
  const { vulnerabilities, message, error } = JSON.parse(report) as Report;
  // A mirror of the registry need not know weaknesses (it answers 404 or 405), and npm has no copy of them to ask without
  // it. That nothing was found is then not known, and is not said.
  if (!vulnerabilities)
    return [
      {
        where: 'npm audit',
        what: `gave no report (${message ?? (error?.summary || 'no reason')}); ask a registry that answers audits: npm_config_registry=… npm run security -- --only dependencies`,
        undecided: true,
      },
    ];
  return Object.values(vulnerabilities)
    .filter(({ severity }) => SERIOUS.includes(severity))
    .map(({ name, severity, range }) => ({
      where: `${name} ${range}`,
      what: `has a known ${severity} weakness`,
    }));
}

/**
 * Asks the registry of npm's configuration about the packages of a lock file, without those that only development needs.
 * @returns `npm audit`'s report, or its words on why there is none, as JSON
 */
export const audit = (folder: string, env: NodeJS.ProcessEnv = process.env): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
    // npm ends with 1 when it finds something; what it printed counts.
    execFile('npm', ['audit', '--omit=dev', '--json'], options, (error, stdout) =>
      stdout === '' ? reject(error ?? new Error('npm audit printed nothing')) : resolve(stdout),
    );
  });

export const dependencies: FileCheck = {
  name: 'dependencies',
  holds: 'no package that the product runs with has a known serious weakness',
  look: async () => seriousOf(await audit(join(import.meta.dirname, '../../..'))),
};
