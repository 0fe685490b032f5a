/** Finds known weaknesses of the product's packages in the registry. */
import { execFile } from 'node:child_process';
import { cloneRoot } from '@karaar/testing/roots';
import type { FileCheck, Finding } from '../check.ts';

type Report = {
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
  message?: string;
  error?: { summary?: string };
};

/** @param report the output of `npm audit --json` */
export function seriousOf(report: string): Finding[] {
  const { vulnerabilities, message, error } = JSON.parse(report) as Report;
  // A mirror of the registry may have no audits: it answers 404 or 405.
  if (!vulnerabilities) {
    const reason = message ?? (error?.summary || 'no reason');
    const advice = 'npm_config_registry=… npm run security -- --only dependencies';
    const what = `gave no report (${reason}); ask a registry that answers audits: ${advice}`;
    return [{ where: 'npm audit', what, undecided: true }];
  }
  return Object.values(vulnerabilities)
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity, range }) => ({
      where: `${name} ${range}`,
      what: `has a known ${severity} weakness`,
    }));
}

/** Returns the JSON of `npm audit` for the lock file of a folder, without development packages. */
export const audit = (folder: string, env: NodeJS.ProcessEnv = process.env): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
    // npm exits with 1 if it finds a weakness; its output counts.
    execFile('npm', ['audit', '--omit=dev', '--json'], options, (error, stdout) =>
      stdout === '' ? reject(error ?? new Error('npm audit printed nothing')) : resolve(stdout),
    );
  });

export const dependencies: FileCheck = {
  name: 'dependencies',
  holds: 'no package of the product has a known serious weakness',
  look: async () => seriousOf(await audit(cloneRoot)),
};
