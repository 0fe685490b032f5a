import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logging/index.ts';

const PREFIX = 'karaar-form-';

/** `SPOOL_DIR` chooses a volume with space for uploads. */
const parent = () => process.env.SPOOL_DIR ?? tmpdir();

/**
 * A directory for one request's files. It is removed when the answer is out, when the client goes away and when
 * the request fails: all three end the response. The process id in its name tells whose it is.
 */
export async function requestDirectory(req: FastifyRequest, reply: FastifyReply): Promise<string> {
  const directory = await mkdtemp(join(parent(), `${PREFIX}${process.pid}-`));
  let removed = false;
  const remove = () => {
    if (removed) return;
    removed = true;
    rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch((err: unknown) => {
      req.log.error({ err }, 'A temporary directory could not be removed');
    });
  };
  if (reply.raw.closed || reply.raw.destroyed) remove();
  else reply.raw.once('finish', remove).once('close', remove);
  return directory;
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

/**
 * Removes what a killed process left behind: uploads hold faces and ID cards, which must not outlive their request.
 * Directories of processes that still run are left alone.
 */
export async function sweepAbandoned(logger: Logger): Promise<void> {
  try {
    for (const name of await readdir(parent())) {
      const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
      if (pid === undefined || isRunning(Number(pid))) continue;
      await rm(join(parent(), name), { recursive: true, force: true });
      logger.info({ directory: name }, 'Removed the uploads of a process that was killed');
    }
  } catch (err) {
    logger.warn({ err }, 'Uploads of killed processes could not be removed');
  }
}
