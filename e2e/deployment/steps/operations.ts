import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf } from '../../src/person.ts';
import type { Release } from '../images.ts';
import type { Installation } from '../installation.ts';
import { asOperator, type Operator } from '../operator.ts';
import { verify, type Sealed } from './sealed.ts';

/** Creates the first admin with the documented command, and signs in. */
export async function firstAdmin({ url }: Installation, operator: Operator): Promise<void> {
  const credentials = { username: 'first', password: randomBytes(12).toString('hex') };
  const command = ['create-admin', '--username', credentials.username, '--password-stdin'];
  await operator.karaar(command, { input: credentials.password });
  await callerOf(url).call('POST', '/admin/login', credentials, [200]);
}

type Saved = { backup: string; identity: string };

/** Takes a backup and copies it, with the identity that decrypts it, out of the cluster. */
export async function backUp({ karaar, copy }: Operator, folder: string): Promise<Saved> {
  const output = await karaar(['backup-key', '--to', '/work/identity']);
  const recipient = /^BACKUP_RECIPIENTS=(\S+)$/m.exec(output)?.[1];
  if (recipient === undefined) throw new Error(`backup-key printed ${output}`);
  await karaar(['backup', '--to', '/work/backup'], { env: { BACKUP_RECIPIENTS: recipient } });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const saved = { backup: join(folder, 'backup'), identity: join(folder, 'identity') };
  await copy('/work/backup', saved.backup, 'out');
  await copy('/work/identity', saved.identity, 'out');
  return saved;
}

/** Restores the backup to empty servers, starts the product, and verifies the PDF that was sealed before. */
export async function restore(
  installation: Installation,
  release: Release,
  saved: Saved,
  sealed: Sealed,
): Promise<string> {
  await installation.startState(release);
  await installation.startFiles();
  return asOperator(installation, async ({ karaar, copy }) => {
    await copy('/work/backup', saved.backup, 'into');
    await copy('/work/identity', saved.identity, 'into');
    const env = { BACKUP_IDENTITY_FILE: '/work/identity' };
    const output = await karaar(['restore', '--from', '/work/backup'], { env });
    await installation.apply(release, 3);
    await installation.startFront();
    const checked = await karaar(['check']);
    if (/FAULT/.test(checked)) throw new Error(checked);
    await verify(installation.url, sealed.pdf);
    const kept = await sealed.owner.bytes(`/documents/${sealed.id}/final-pdf`);
    if (!Buffer.from(kept).equals(Buffer.from(sealed.pdf)))
      throw new Error('the restored PDF has different bytes');
    return output.trim().split('\n').at(-1) ?? '';
  });
}
