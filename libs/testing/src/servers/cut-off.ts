/** For servers of tests whose callers cut connections. */
import type { IncomingMessage } from 'node:http';

/** Lets a request go without an answer when its caller cut it off before its end; every other fault stays a fault. */
export const unlessCutOff =
  (req: IncomingMessage) =>
  (error: unknown): void => {
    if (req.complete) throw error;
  };
