import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { forgetOlder } from './inbox.repository.ts';

const REST_MS = 60 * 60_000;
const AT_ONCE = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** Starts the worker that deletes notifications older than `NOTIFICATION_DAYS`. */
export const startRetentionWorker = ({ db, config, logger }: Context): Worker =>
  startWorker({
    restMs: REST_MS,
    turn: async () => {
      const before = new Date(Date.now() - config.NOTIFICATION_DAYS * DAY_MS);
      return (await forgetOlder(db, before, AT_ONCE)) >= AT_ONCE;
    },
    onError: (err) => logger.warn({ err }, 'old notifications cannot be deleted'),
  });
