import type { FastifyReply, FastifyRequest } from 'fastify';
import { unavailable } from '@karaar/base/errors';
import { whenClosed } from '../observed/when-closed.ts';

/**
 * Runs `work` with a deadline. The signal is aborted at the deadline or when the client disconnects; at the
 * deadline the caller gets 503 at once. A late result is dropped; a late error is logged.
 * @param ms deadline in milliseconds
 */
export async function withDeadline<T>(
  req: FastifyRequest,
  reply: FastifyReply,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let over = false;
  whenClosed(reply.raw, () => {
    if (!over && !reply.raw.writableFinished) controller.abort(new Error('The client is gone'));
  });
  let timer: NodeJS.Timeout | undefined;
  let late = false;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      const err = unavailable('timeout', 'This took too long. Please try again in a moment.');
      controller.abort(err);
      reject(err);
    }, ms);
  });
  const working = work(controller.signal);
  working.catch((err: unknown) => {
    if (late) req.log.warn({ err }, 'Work failed after its deadline');
  });
  try {
    return await Promise.race([working, deadline]);
  } finally {
    over = true;
    clearTimeout(timer);
  }
}
