import {
  dropDeadLetterRpc,
  listDeadLettersRpc,
  MOST_LETTERS,
  retryDeadLetterRpc,
} from '@karaar/contracts/dead-letters';
import { faultOf, forgetDeadLetters, keptLetters, type Bus } from '@karaar/bus';
import type { Db } from '@karaar/db';
import type { Logger } from '@karaar/observability/logging';

/** Call it after the handlers are registered: a retry runs the handler that failed. */
export async function serveDeadLetters<DB>(bus: Bus, db: Db<DB>, logger: Logger): Promise<void> {
  await bus.serve(listDeadLettersRpc(bus.name), async () => {
    const { letters, total } = await keptLetters(db, { most: MOST_LETTERS });
    return {
      letters: letters.map(({ created_at, reason, ...letter }) => ({
        ...letter,
        since: created_at.toISOString(),
        fault: faultOf(reason),
      })),
      total,
    };
  });
  await bus.serve(retryDeadLetterRpc(bus.name), async ({ handler, event_id }) => ({
    outcome: await bus.retryDeadLetter(handler, event_id),
  }));
  await bus.serve(dropDeadLetterRpc(bus.name), async ({ handler, event_id }) => {
    const dropped = (await forgetDeadLetters(db, { handler, event: event_id })).length > 0;
    if (dropped) logger.warn({ handler, event: event_id }, 'an admin dropped a dead letter');
    return { dropped };
  });
}
