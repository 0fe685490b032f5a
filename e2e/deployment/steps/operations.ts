/** What an operator does by the tool: the first admin, a backup, and the installation made again from it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Release } from '../images.ts';
import type { Installation } from '../installation.ts';
import { asOperator, type Operator } from '../operator.ts';
import { verify, type Sealed } from './sealed.ts';

/** Makes the first admin by the documented command, and signs in as one. */
export async function firstAdmin({ url }: Installation, operator: Operator): Promise<void> {
  const password = randomBytes(12).toString('hex');
  await operator.karaar(['create-admin', '--username', 'first', '--password-stdin'], { input: password });
  const response = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'first', password }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the admin's sign-in answered ${response.status} ${text}`);
}

export type Saved = { backup: string; identity: string };

/** Takes a backup and brings it, and the identity that opens it, out of the cluster. */
export async function backUp(operator: Operator, folder: string): Promise<Saved> {
  const said = await operator.karaar(['backup-key', '--to', '/work/identity']);
  const recipient = /^BACKUP_RECIPIENTS=(\S+)$/m.exec(said)?.[1];
  if (recipient === undefined) throw new Error(`backup-key said ${said}`);
  await operator.karaar(['backup', '--to', '/work/backup'], { env: { BACKUP_RECIPIENTS: recipient } });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const saved = { backup: join(folder, 'backup'), identity: join(folder, 'identity') };
  await operator.copy('/work/backup', saved.backup, 'out');
  await operator.copy('/work/identity', saved.identity, 'out');
  return saved;
}

/** Starts empty servers, fills them, starts the product, and looks at what was sealed before. */
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
    const said = await karaar(['restore', '--from', '/work/backup'], { env });
    await installation.apply(release, 3);
    await installation.startFront();
    const checked = await karaar(['check']);
    if (/FAULT/.test(checked)) throw new Error(checked);
    await verify(installation.url, sealed.pdf);
    const kept = await sealed.owner.bytes(`/documents/${sealed.id}/final-pdf`);
    if (!Buffer.from(kept).equals(Buffer.from(sealed.pdf)))
      throw new Error('the PDF came back with other bytes');
    return said.trim().split('\n').at(-1) ?? '';
  });
}
