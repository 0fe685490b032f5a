/** `npm run compose:env`: writes fresh keys into infra/docker/.env, or adds those that are missing. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freshKeys } from './fresh-keys.ts';

/** Adds the variables of compose.yaml that a file lacks, and returns their names. */
export function addMissing(file: string): string[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const named = new Set([...text.matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name]) => name));
  const missing = Object.entries(freshKeys()).filter(([name]) => !named.has(name));
  const lines = missing.map(([name, value]) => `${name}='${value}'\n`);
  if (lines.length > 0) appendFileSync(file, lines.join(''), { mode: 0o600 });
  return missing.map(([name]) => name);
}

const target = fileURLToPath(new URL('../.env', import.meta.url));
if (import.meta.main) {
  const added = addMissing(target);
  process.stdout.write(
    added.length === 0
      ? `${target} has all variables already.\n`
      : `Wrote ${added.join(', ')} to ${target}\n`,
  );
}
