import { mkdir, readdir } from 'node:fs/promises';
import type { ServiceDatabase } from '../databases.ts';
import { dumpAll } from './dump.ts';
import { checkFiles, isEmpty, loadFiles, saveFiles, type FileStore } from './files.ts';
import { expectEmpty, expectKey, load } from './load.ts';
import { BackupError, readManifest, writeManifest, type Manifest } from './manifest.ts';
import type { Seal, Unseal } from './sealing.ts';

export type Installation = { databases: readonly ServiceDatabase[]; files: FileStore };

/**
 * Writes databases, files, then the manifest. A file is older than its row, so the backup has it.
 * @throws BackupError
 */
export async function backup(
  { databases, files }: Installation,
  { folder, seal }: { folder: string; seal: Seal },
): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new BackupError(`${folder} is not empty`);
  const takenAt = new Date().toISOString();
  const dumped = await dumpAll(databases, { folder, seal });
  const manifest: Manifest = { format: 2, takenAt, databases: dumped, files: await saveFiles(files, folder) };
  await writeManifest(folder, manifest);
  return manifest;
}

/** Fills an empty installation before its services start. Checks everything first. @throws BackupError */
export async function restore(
  { databases, files }: Installation,
  { folder, unseal }: { folder: string; unseal: Unseal },
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await expectEmpty(databases, manifest.databases);
  if (!(await isEmpty(files))) throw new BackupError('There are files already; restore needs an empty store');
  const names = await checkFiles(folder, manifest.files);
  for (const { tables } of manifest.databases) await expectKey(unseal, tables, folder);
  for (const database of manifest.databases) await load(databases, database, { folder, unseal });
  await loadFiles(files, names, folder);
  return manifest;
}
