/**
 * Events that a service could not apply: admins list, retry and drop them. Each service is asked over the
 * broker, as the operator's tool does (docs/adr/0059).
 */
import type { DeadLetter } from '@karaar/contracts/auth/dead-letters-http';
import {
  dropDeadLetterRpc,
  listDeadLettersRpc,
  retryDeadLetterRpc,
  type RetryOutcome,
} from '@karaar/contracts/dead-letters';
import { PUBLISHERS } from '@karaar/contracts/names';
import { AppError } from '@karaar/base/errors';
import { inTransaction } from '@karaar/db';
import type { Context } from '../../../context.ts';
import { noSuchLetter } from '../admins.errors.ts';
import { writeAudit, type AuditEntry } from '../audit/audit.service.ts';

type Service = DeadLetter['service'];
export type LetterOf = { service: Service; handler: string; event_id: string };

/**
 * Returns the dead letters of all services. `away` names the services that did not answer.
 * @param only asks this service alone
 */
export async function listDeadLetters(
  ctx: Context,
  only?: Service,
): Promise<{ items: DeadLetter[]; total: number; away: Service[] }> {
  const services = only === undefined ? PUBLISHERS : [only];
  const answers = await Promise.all(services.map((service) => lettersOf(ctx, service)));
  const items = answers.flatMap((answer) => (answer === undefined ? [] : answer.items));
  return {
    items: items.sort((a, b) => a.since.localeCompare(b.since)),
    total: answers.reduce((sum, answer) => sum + (answer?.total ?? 0), 0),
    away: services.filter((_, i) => answers[i] === undefined),
  };
}

async function lettersOf(
  ctx: Context,
  service: Service,
): Promise<{ items: DeadLetter[]; total: number } | undefined> {
  try {
    const { letters, total } = await ctx.bus.request(listDeadLettersRpc(service), {});
    return { items: letters.map((letter) => ({ service, ...letter })), total };
  } catch (error) {
    if (error instanceof AppError && error.status === 503) return undefined;
    throw error;
  }
}

/**
 * Makes the service apply the event again.
 * @throws AppError 404 if the service has no such dead letter
 */
export async function retryDeadLetter(
  ctx: Context,
  adminId: string,
  letter: LetterOf,
): Promise<RetryOutcome> {
  await record(ctx, adminId, 'dead-letter.retry-asked', letter, '');
  const { service, ...key } = letter;
  const { outcome } = await ctx.bus.request(retryDeadLetterRpc(service), key);
  if (outcome === 'gone') throw noSuchLetter();
  return outcome;
}

/**
 * Makes the service delete the dead letter.
 * @throws AppError 404 if the service has no such dead letter
 */
export async function dropDeadLetter(
  ctx: Context,
  adminId: string,
  letter: LetterOf,
  reason: string,
): Promise<void> {
  await record(ctx, adminId, 'dead-letter.drop-asked', letter, reason);
  const { service, ...key } = letter;
  const { dropped } = await ctx.bus.request(dropDeadLetterRpc(service), key);
  if (!dropped) throw noSuchLetter();
}

/**
 * Writes the audit row before the request, because the service commits by itself: a surplus row is better
 * than an act without a row.
 */
async function record(
  ctx: Context,
  adminId: string,
  action: AuditEntry['action'],
  { service, handler, event_id }: LetterOf,
  reason: string,
): Promise<void> {
  await inTransaction(ctx.db, (tx) =>
    writeAudit(ctx, tx, { adminId, action, targetId: event_id, target: `${service} ${handler}`, reason }),
  );
}
