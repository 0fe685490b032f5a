import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A directory for one request's files. It is removed when the answer is out, when the client goes away and when
 * the request fails: all three close the response. `SPOOL_DIR` chooses the parent (a volume with space).
 */
export async function requestDirectory(req: FastifyRequest, reply: FastifyReply): Promise<string> {
  const directory = await mkdtemp(join(process.env.SPOOL_DIR ?? tmpdir(), 'karaar-form-'));
  const remove = () => {
    rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch((err: unknown) => {
      req.log.error({ err }, 'A temporary directory could not be removed');
    });
  };
  if (reply.raw.closed || reply.raw.destroyed) remove();
  else reply.raw.once('close', remove);
  return directory;
}
