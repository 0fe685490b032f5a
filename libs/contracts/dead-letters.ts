/**
 * RPC requests about dead letters, served by every service with consumers: for the operator's tool and the
 * admins' screen in the auth service.
 */
import { Type, type Static } from 'typebox';
import { defineRpc, IsoDateTime } from './kit.ts';

/**
 * `gone`: the letter does not exist any more; `unhandled`: this version of the service has no handler of that
 * name.
 */
export const RetryOutcome = Type.Union([
  Type.Literal('applied'),
  Type.Literal('failed'),
  Type.Literal('gone'),
  Type.Literal('unhandled'),
]);
export type RetryOutcome = Static<typeof RetryOutcome>;

/** Identifies a dead letter of a service: an event may have failed in several handlers. */
export const letterKey = {
  handler: Type.String({ minLength: 1, maxLength: 200 }),
  event_id: Type.String({ minLength: 1, maxLength: 200 }),
};

/** A dead letter without its event, which may contain personal data. */
export const letterFields = {
  ...letterKey,
  subject: Type.String(),
  deliveries: Type.Integer(),
  since: IsoDateTime,
  /** The class of the error, such as `PoisonMessage`; its text stays in the service. */
  fault: Type.String(),
};

export const MOST_LETTERS = 100;

/** Returns the oldest dead letters of a service, and their total number. */
export const listDeadLettersRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.list-dead-letters.v1`,
    request: Type.Object({}),
    response: Type.Object({ letters: Type.Array(Type.Object(letterFields)), total: Type.Integer() }),
    timeoutMs: 3_000,
    callers: ['auth'],
  });

/** Retries one dead letter of a service. One at a time: the reply may take as long as a handler. */
export const retryDeadLetterRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.retry-dead-letter.v1`,
    request: Type.Object(letterKey),
    response: Type.Object({ outcome: RetryOutcome }),
    timeoutMs: 90_000,
    callers: ['ops', 'auth'],
  });

/** Deletes one dead letter permanently; the operator's tool does so in the database. */
export const dropDeadLetterRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.drop-dead-letter.v1`,
    request: Type.Object(letterKey),
    response: Type.Object({ dropped: Type.Boolean() }),
    timeoutMs: 3_000,
    callers: ['auth'],
  });
