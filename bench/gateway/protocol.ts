/** The messages between the benchmark and its two senders. */
import type { Urgency } from '@karaar/contracts/urgency';

/** One kind of request in the mix. */
export type Kind = {
  name: string;
  urgency: Urgency;
  /** How often it comes, beside the others. */
  weight: number;
  /** Whole requests as bytes in Latin-1, sent in turn; {@link COUNTER} in one is replaced by a number of the same length. */
  texts: string[];
};
export const COUNTER = '000000000000';

export type Order =
  | { kind: 'mix'; port: number; kinds: Kind[] }
  /** Sends at this rate, however it is answered. */
  | { kind: 'run'; rate: number; durationMs: number };

export type Counts = { offered: number; answered: number; refused: number };
/** Answered are complete answers of 2xx, refused those of 429 and 503; failed is everything else that was sent. */
export type RunResult = Counts & {
  refusedWithoutTime: number;
  failed: number;
  /** Not sent, because too many were under way. */
  dropped: number;
  seconds: number;
  /** Milliseconds from when each was due, ascending. */
  answeredMs: number[];
  refusedMs: number[];
  byUrgency: Record<Urgency, Counts>;
  /** Kind and status of what failed. */
  faults: Record<string, number>;
  /** Milliseconds by which the sender was late, ascending; and the part of its core that it used. */
  lateMs: number[];
  senderCpu: number;
};

/** Slow uploads: from one address without a token, and from several with the token of one user. */
export type Attack = { port: number; token: string; strangers: number; signedIn: number };
export type SlowCounts = {
  /** Connections that are open now, with an upload that is not over. */
  open: number;
  /** Opened in all: what is refused or cut is tried again after a second. */
  opened: number;
  /** Answers by status, and `cut` for connections that were closed without one. */
  answers: Record<string, number>;
};
