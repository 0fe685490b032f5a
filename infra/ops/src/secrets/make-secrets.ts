import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError, type Command } from '@karaar/bus/commands';
import { ownSeal } from '@karaar/sealing';
import { composeLine } from './compose-line.ts';
import { makeEntries, sandboxValues } from './entries.ts';
import { kubernetesStore } from './kubernetes.ts';

const USAGE = 'make-secrets --host HOST --to FOLDER, a new one [--sandbox]';

/**
 * `karaar make-secrets`: writes the store's entries for Kubernetes, for other stores and for compose.
 * @throws UsageError if the host is missing or the folder exists
 */
export const makeSecrets: Command['run'] = async (args, env) => {
  const { values } = parseArgs({
    args,
    options: { host: { type: 'string' }, to: { type: 'string' }, sandbox: { type: 'boolean' } },
  });
  const { host, to } = values;
  if (!to || !host || !/^[a-z0-9.-]+$/.test(host)) throw new UsageError(USAGE);
  const hasSeal = env['SEAL_P12'] !== undefined;
  const { entries, missing, variables } = values.sandbox
    ? makeEntries(host, { ...sandboxValues(), ...env }, 'development')
    : makeEntries(host, { ...(hasSeal ? {} : await ownSeal(host)), ...env }, 'production');
  try {
    mkdirSync(to, { mode: 0o700 });
  } catch (cause) {
    throw new UsageError(`${to} cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const write = (name: string, text: string) =>
    writeFileSync(join(to, name), text, { mode: 0o600, flag: 'wx' });
  write('kubernetes.yaml', kubernetesStore(entries));
  const lines = Object.entries({ KARAAR_HOST: host, ...variables }).map(
    ([name, value]) => `${composeLine(name, value)}\n`,
  );
  write('compose.env', lines.join(''));
  for (const [entry, properties] of Object.entries(entries))
    write(`${entry}.json`, `${JSON.stringify(properties)}\n`);
  const said = [`${Object.keys(entries).length} entries are in ${to}. Keep a copy where backups are not.`];
  if (!hasSeal && !values.sandbox)
    said.push(
      `The seal is by ${host}'s own authority, which PDF readers do not know. \`karaar rotate-seal\` puts in a bought one.`,
    );
  if (missing.length > 0)
    said.push(
      `Not in them, because others make it: ${missing.join(', ')}. Set the variables of these names and make the folder again, or add them to the store.`,
    );
  return said.join('\n');
};
