/** Tries to read and restore backups without a key. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cloneRoot } from '@karaar/testing/roots';
import { scratch } from '@karaar/testing/scratch';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** The beginning of every file that age has encrypted. */
const AGE = 'age-encryption.org/v1';
const where = 'karaar backup';

async function tryBackups({ inside }: Target): Promise<Finding[]> {
  const { dir, remove } = scratch();
  const env = {
    PATH: process.env['PATH'],
    ADMIN_DATABASE_URL: inside.postgresUrl,
    BLOB_DIR: join(inside.stateDir, 'data', 'blobs'),
  };
  const succeeds = (args: string[], more: Record<string, string> = {}): Promise<boolean> =>
    promisify(execFile)(process.execPath, [join(cloneRoot, 'infra/ops/src/cli.ts'), ...args], {
      env: { ...env, ...more },
    }).then(
      () => true,
      () => false,
    );
  const found: Finding[] = [];
  try {
    if (await succeeds(['backup', '--to', join(dir, 'open')]))
      found.push({ where, what: 'saves databases without encryption' });
    const BACKUP_RECIPIENTS = await identityToRecipient(await generateX25519Identity());
    const closed = join(dir, 'closed');
    if (!(await succeeds(['backup', '--to', closed], { BACKUP_RECIPIENTS })))
      return [...found, { where, what: 'does not save with a recipient', undecided: true }];
    const entries = await readdir(closed, { recursive: true, withFileTypes: true });
    const dumps = entries.filter((entry) => entry.isFile() && entry.name.includes('.copy'));
    if (dumps.length === 0) found.push({ where, what: 'saved no table', undecided: true });
    for (const { parentPath, name } of dumps)
      if (!(await readFile(join(parentPath, name), 'latin1')).startsWith(AGE))
        found.push({ where: name, what: 'can be read without a key' });
    // It asks for the key before it changes the product's databases.
    if (await succeeds(['restore', '--from', closed]))
      found.push({ where: 'karaar restore', what: 'needs no key' });
  } finally {
    remove();
  }
  return found;
}

export const backups: ProductCheck = {
  name: 'backups',
  holds: 'dumps of databases are encrypted, and backup and restore need a key',
  run: tryBackups,
};
