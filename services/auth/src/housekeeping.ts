import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from './context.ts';
import { eraseBlobs } from './features/accounts/deletion.service.ts';
import { performMoves } from './features/accounts/phone-move.service.ts';
import { pruneAttempts } from './features/admins/sign-in/attempts.repository.ts';
import { prunePlaces } from './features/admins/sign-in/places.repository.ts';
import { pruneProofs } from './features/accounts/contact-proofs.repository.ts';
import { pruneLimits } from './features/limits/limits.ts';
import { pruneBrowsers } from './features/otp/known-browsers.repository.ts';
import { pruneCeremonies } from './features/admins/passkeys/ceremonies.repository.ts';
import { pruneSessions } from './features/sessions/sessions.repository.ts';
import { repeatRevocations } from './features/sessions/sessions.service.ts';

const EVERY_MS = 10 * 60_000;

/** Runs now and every ten minutes; a failure is logged, and the next run tries again. */
export function startHousekeeping(ctx: Context): Worker {
  const run = async () => {
    for (const [what, task] of [
      ['numbers', () => performMoves(ctx)],
      ['codes', () => ctx.otp.prune()],
      ['known browsers', () => pruneBrowsers(ctx.db)],
      ['limits', () => pruneLimits(ctx.db)],
      ['attempts', () => pruneAttempts(ctx.db)],
      ['places', () => prunePlaces(ctx.db)],
      ['contact proofs', () => pruneProofs(ctx.db)],
      ['passkey ceremonies', () => pruneCeremonies(ctx.db)],
      ['ended sessions', () => repeatRevocations(ctx, new Date(Date.now() - 2 * EVERY_MS))],
      ['sessions', () => pruneSessions(ctx.db)],
      ['blobs', () => eraseBlobs(ctx)],
    ] as const) {
      await task().catch((error: unknown) =>
        ctx.logger.warn({ err: error, what }, 'housekeeping failed; it is tried again'),
      );
    }
  };
  return startWorker({
    restMs: EVERY_MS,
    turn: run,
    onError: (err) => ctx.logger.warn({ err }, 'housekeeping failed; it is tried again'),
  });
}
