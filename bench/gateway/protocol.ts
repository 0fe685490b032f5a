import type { Urgency } from '@karaar/contracts/urgency';
import type { Latency } from '../lib/stats.ts';

export type Kind = {
  name: string;
  urgency: Urgency;
  weight: number;
  /** Sent in turn; {@link COUNTER} in a text body is replaced by a number of the same length. */
  requests: MixRequest[];
};
export type MixRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
};
export const COUNTER = '000000000000';
export const numbered = (body: MixRequest['body'], number: number): string | Uint8Array | null =>
  typeof body === 'string' ? body.replace(COUNTER, String(number).padStart(12, '1')) : (body ?? null);

export type Order =
  { kind: 'mix'; url: string; kinds: Kind[] } | { kind: 'run'; rate: number; durationMs: number };

/** Answered: with 2xx. Refused: with 429 or 503. */
export type Counts = { offered: number; answered: number; refused: number };
export type RunResult = Counts & {
  refusedWithoutTime: number;
  failed: number;
  /** Not sent, because too many requests were in progress. */
  dropped: number;
  seconds: number;
  /** Since each was due. */
  answeredIn: Latency;
  refusedIn: Latency;
  /** The delays of the sender. */
  late: Latency;
  byUrgency: Record<Urgency, Counts>;
  faults: Record<string, number>;
};

/** Slow uploads: from one address without a token, and from several addresses with the token of one user. */
export type Attack = { port: number; token: string; strangers: number; signedIn: number };
export type SlowCounts = {
  /** Open connections with an unfinished upload. */
  open: number;
  /** All connections so far; a refused or closed one is opened again after a second. */
  opened: number;
  /** Answers by status; `cut` counts connections that were closed without an answer. */
  answers: Record<string, number>;
};
