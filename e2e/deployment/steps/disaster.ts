/** A backup by the operator's tool, everything deleted, and the installation made again from it. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from '../installation.ts';
import { startOperator, type Operator } from '../operator.ts';
import type { Release } from '../releases.ts';
import { verify, type Sealed } from './main-job.ts';

export type Saved = { folder: string; identity: string };

/** Takes a backup and brings it, and the identity that opens it, out of the cluster. */
export async function backUp(operator: Operator, folder: string): Promise<Saved> {
  const said = await operator.karaar(['backup-key', '--to', '/work/identity']);
  const recipient = /^BACKUP_RECIPIENTS=(\S+)$/m.exec(said)?.[1];
  if (recipient === undefined) throw new Error(`backup-key said ${said}`);
  await operator.karaar(['backup', '--to', '/work/backup'], { env: { BACKUP_RECIPIENTS: recipient } });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const saved = { folder: join(folder, 'backup'), identity: join(folder, 'identity') };
  await operator.copy('/work/backup', saved.folder, 'out');
  await operator.copy('/work/identity', saved.identity, 'out');
  return saved;
}

/** Starts empty servers, fills them, starts the product, and looks at what was sealed before. */
export async function restore(
  installation: Installation,
  release: Release,
  saved: Saved,
  sealed: Sealed,
  say: (line: string) => void,
): Promise<string> {
  await installation.startState(release);
  await installation.startFiles();
  const operator = await startOperator(installation, say);
  await operator.copy('/work/backup', saved.folder, 'into');
  await operator.copy('/work/identity', saved.identity, 'into');
  const env = { BACKUP_IDENTITY_FILE: '/work/identity' };
  const said = await operator.karaar(['restore', '--from', '/work/backup'], { env });
  await installation.apply(release, 3);
  await installation.startFront();
  const checked = await operator.karaar(['check']);
  await operator.stop();
  if (/FAULT/.test(checked)) throw new Error(checked);
  await verify(installation.url, sealed.pdf);
  const kept = await sealed.owner.bytes(`/documents/${sealed.id}/final-pdf`);
  if (!Buffer.from(kept).equals(Buffer.from(sealed.pdf)))
    throw new Error('the PDF came back with other bytes');
  return said.trim().split('\n').at(-1) ?? '';
}
