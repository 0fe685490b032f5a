/** What the bench and its sender tell each other. */
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
  /** Sends at this rate, whatever becomes of it. */
  | { kind: 'run'; rate: number; durationMs: number };

export type Counts = { offered: number; answered: number; refused: number };

export type RunResult = {
  /** Requests that were due. */
  offered: number;
  /** Complete answers of 2xx. */
  answered: number;
  /** Answers of 429 and 503. */
  refused: number;
  /** Of those the ones that do not say when to come back. */
  refusedWithoutTime: number;
  /** Other answers, broken connections, and what had no answer ten seconds after the end. */
  failed: number;
  /** Not sent, because too many were under way. */
  dropped: number;
  seconds: number;
  /** Milliseconds from when each was due, ascending. */
  answeredMs: number[];
  refusedMs: number[];
  byUrgency: Record<Urgency, Counts>;
  /** p99 of what was answered, by kind. */
  p99ByKind: Record<string, number>;
  /** Kind and status of what failed. */
  faults: Record<string, number>;
  /** Milliseconds by which the sender was late, ascending; and the part of its core that it used. */
  lateMs: number[];
  senderCpu: number;
};
