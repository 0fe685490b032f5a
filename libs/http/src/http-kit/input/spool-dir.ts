import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '@karaar/observability/logging';
import { scratchFolder, sweepScratch } from '../../scratch/index.ts';

const KIND = 'karaar-form';

/** `SPOOL_DIR` selects a volume with space for uploads. */
const parent = () => process.env.SPOOL_DIR ?? tmpdir();

/**
 * Creates a directory for one request's files. It is removed when the response ends: after it was sent, after
 * the client disconnected, and after a failure.
 */
export async function requestDirectory(req: FastifyRequest, reply: FastifyReply): Promise<string> {
  const directory = await scratchFolder(parent(), KIND);
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

/**
 * Removes files of killed processes: uploads contain faces and ID cards, which must not outlive their
 * request.
 */
export function sweepAbandoned(logger: Logger): Promise<void> {
  return sweepScratch(parent(), KIND, logger);
}
