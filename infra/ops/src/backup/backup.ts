/** `karaar backup-key`, `karaar backup` and `karaar restore`. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '@karaar/bus/commands';
import { databasesOf } from '../databases.ts';
import { optionOf } from '../option.ts';
import { dumpAll } from './dump.ts';
import { checkFiles, fileStoreOf, isEmpty, listFiles, saveFiles } from './files.ts';
import { expectPrimaries } from './freeze.ts';
import { expectEmpty, load } from './load.ts';
import { BackupError, MANIFEST, readManifest, type Manifest } from './manifest.ts';
import { makeBackupKey, sealingTo, unsealingWith } from './sealing.ts';

export const backupKey: Command['run'] = async (args) => {
  const file = optionOf(args, 'to', 'backup-key --to FILE, a new one');
  const recipient = await makeBackupKey(file);
  return [
    `BACKUP_RECIPIENTS=${recipient}`,
    `${file} opens what is encrypted to it. Keep it apart from the backups, and two copies of it: without it they are noise.`,
  ].join('\n');
};

const summary = ({ databases, files, takenAt }: Manifest): string => {
  const tables = databases.flatMap((database) => database.tables);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${databases.length} databases, ${tables.length} tables, ${rows} rows and ${files.count} files as of ${takenAt}`;
};

/**
 * Writes files, databases, the newer files, then the manifest. A file is older than its row, so the second copy
 * has it; the first has those that are deleted while the databases are written.
 * @throws BackupError
 */
export const backUp: Command['run'] = async (args, env) => {
  const folder = optionOf(args, 'to', 'backup --to FOLDER, a new or empty one');
  const seal = sealingTo(env['BACKUP_RECIPIENTS']);
  const [databases, store] = [databasesOf(env), fileStoreOf(env)];
  await expectPrimaries(databases);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new BackupError(`${folder} is not empty`);
  const saved = new Map<string, string>();
  await saveFiles(store, folder, saved);
  const takenAt = new Date().toISOString();
  const dumped = await dumpAll(databases, { folder, seal });
  await saveFiles(store, folder, saved);
  const files = await listFiles(folder, saved);
  const manifest: Manifest = { format: 2, takenAt, databases: dumped, files };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600 });
  return `Saved ${summary(manifest)} in ${folder}. Keys are not in it, and it opens with the identity of its recipients only.`;
};

/** Fills an empty installation before its services start. Checks everything first. @throws BackupError */
export const restore: Command['run'] = async (args, env) => {
  const usage = 'restore --from FOLDER, into empty databases and an empty file store';
  const folder = optionOf(args, 'from', usage);
  const unseal = await unsealingWith(env['BACKUP_IDENTITY_FILE']);
  const [databases, store] = [databasesOf(env), fileStoreOf(env)];
  const manifest = await readManifest(folder);
  await expectEmpty(databases, manifest.databases);
  if (!(await isEmpty(store))) throw new BackupError('There are files already; restore needs an empty store');
  const names = await checkFiles(folder, manifest.files);
  // Opens every dump briefly, so that a wrong key is found before anything is changed.
  for (const { file } of manifest.databases.flatMap(({ tables }) => tables))
    (await unseal(join(folder, file))).destroy();
  for (const database of manifest.databases) await load(databases, database, { folder, unseal });
  for (const name of names) await store.write(name, join(folder, 'files', name));
  return `Restored ${summary(manifest)}. Start the services now; they fill the broker's streams.`;
};
