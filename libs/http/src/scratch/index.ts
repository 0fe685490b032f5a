/**
 * Temporary folders for work in progress. Their names identify the process that made them, so that the next
 * process finds and removes those of a killed one, which may contain faces and ID cards.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@karaar/observability/logging';

/**
 * Distinguishes this process from an earlier one with the same id: in a container every start has the same.
 */
const RUN = randomBytes(3).toString('hex');

/**
 * Creates an empty folder, which the caller must remove.
 * @param parent an existing folder, not shared with processes of other containers
 * @param kind the purpose, as prefix of the name
 */
export function scratchFolder(parent: string, kind: string): Promise<string> {
  return mkdtemp(join(parent, `${kind}-${process.pid}-${RUN}-`));
}

/** Returns the names of the folders of a kind whose process is gone. */
export async function abandonedScratch(parent: string, kind: string): Promise<string[]> {
  return (await readdir(parent)).filter((name) => {
    const [, pid, run] = new RegExp(`^${kind}-(\\d+)-(\\w+)`).exec(name) ?? [];
    return pid !== undefined && (Number(pid) === process.pid ? run !== RUN : !isRunning(Number(pid)));
  });
}

/**
 * Removes the folders of a kind whose process is gone. A failure is logged only, so that the service still
 * starts.
 */
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

/** Creates a folder for all work of this process. Creates the parent if missing, and sweeps it first. */
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
    // EPERM: the process runs, under another user.
    return err instanceof Error && 'code' in err && err.code === 'EPERM';
  }
}
