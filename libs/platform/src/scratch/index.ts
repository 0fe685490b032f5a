/**
 * Folders for what is only needed while it is worked on. Their names tell the process that made them, so that what a
 * killed one has left, faces and ID cards among it, is found by the next and removed.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../logging/index.ts';

/** Tells this process from one before it with the same id: in a container every start has the same. */
const RUN = randomBytes(3).toString('hex');

/**
 * A new, empty folder. Whoever asks for it removes it.
 * @param parent an existing folder, which processes of other containers do not use
 * @param kind what it is for, the beginning of its name
 */
export function scratchFolder(parent: string, kind: string): Promise<string> {
  return mkdtemp(join(parent, `${kind}-${process.pid}-${RUN}-`));
}

/** Names of the folders of a kind whose process is gone. */
export async function abandonedScratch(parent: string, kind: string): Promise<string[]> {
  return (await readdir(parent)).filter((name) => {
    const [, pid, run] = new RegExp(`^${kind}-(\\d+)-(\\w+)`).exec(name) ?? [];
    return pid !== undefined && (Number(pid) === process.pid ? run !== RUN : !isRunning(Number(pid)));
  });
}

/** Removes the folders of a kind whose process is gone. What cannot be removed is logged: a service starts anyway. */
export async function sweepScratch(parent: string, kind: string, logger: Logger): Promise<void> {
  try {
    for (const name of await abandonedScratch(parent, kind)) {
      await rm(join(parent, name), { recursive: true, force: true });
      logger.info({ directory: name }, 'Removed the temporary files of a process that was killed');
    }
  } catch (err) {
    logger.warn({ err }, 'Temporary files of killed processes could not be removed');
  }
}

/** A folder for all the work of this process, in a parent that is made where it is missing and swept first. */
export async function openScratch(parent: string, kind: string, logger: Logger): Promise<string> {
  await mkdir(parent, { recursive: true });
  await sweepScratch(parent, kind, logger);
  return scratchFolder(parent, kind);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    // EPERM: it runs, under another user.
    return err instanceof Error && 'code' in err && err.code === 'EPERM';
  }
}
