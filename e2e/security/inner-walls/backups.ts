/** A backup that falls into other hands. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Finding, ProductCheck, Target } from '../check.ts';

const cli = fileURLToPath(new URL('../../../infra/ops/src/cli.ts', import.meta.url));
/** How every file of age begins. */
const AGE = 'age-encryption.org/v1';

const karaar = (args: string[], env: Record<string, string>): Promise<boolean> =>
  promisify(execFile)(process.execPath, [cli, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  }).then(
    () => true,
    () => false,
  );

const isPacked = (bytes: Buffer): boolean => {
  try {
    gunzipSync(bytes);
    return true;
  } catch {
    return false;
  }
};

async function tryBackups({ inside }: Target): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-backups-'));
  const env = {
    ADMIN_DATABASE_URL: inside.postgresUrl,
    BLOB_DIR: join(inside.stateDir, 'data', 'blobs'),
  };
  const found: Finding[] = [];
  try {
    if (await karaar(['backup', '--to', join(folder, 'open')], env))
      found.push({ where: 'karaar backup', what: 'saves databases that everybody can read' });
    const recipient = await identityToRecipient(await generateX25519Identity());
    const closed = join(folder, 'closed');
    if (!(await karaar(['backup', '--to', closed], { ...env, BACKUP_RECIPIENTS: recipient })))
      return [...found, { where: 'karaar backup', what: 'does not save with a recipient', undecided: true }];
    const entries = await readdir(closed, { recursive: true, withFileTypes: true });
    const dumps = entries.filter((entry) => entry.isFile() && entry.name.includes('.copy'));
    if (dumps.length === 0) found.push({ where: 'karaar backup', what: 'saved no table', undecided: true });
    for (const { parentPath, name } of dumps) {
      const bytes = await readFile(join(parentPath, name));
      if (isPacked(bytes) || bytes.subarray(0, AGE.length).toString() !== AGE)
        found.push({ where: name, what: 'can be read without a key' });
    }
    // Into the databases of the product, which are not touched: the key is asked for first.
    const attempt = karaar(['restore', '--from', closed], env);
    if (await attempt) found.push({ where: 'karaar restore', what: 'asks for no key' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return found;
}

export const backups: ProductCheck = {
  name: 'backups',
  holds: 'a dump of a database is encrypted, and nothing is saved or restored without keys',
  run: tryBackups,
};
