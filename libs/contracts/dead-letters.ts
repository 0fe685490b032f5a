/**
 * The calls that every service with consumers answers about events that it could not apply: for the operator's tool,
 * and for the auth service's screen for admins.
 */
import { Type, type Static } from 'typebox';
import { defineRpc, IsoDateTime } from './kit.ts';

/** `gone`: the letter does not exist any more; `unhandled`: this version of the service has no handler of that name. */
export const RetryOutcome = Type.Union([
  Type.Literal('applied'),
  Type.Literal('failed'),
  Type.Literal('gone'),
  Type.Literal('unhandled'),
]);
export type RetryOutcome = Static<typeof RetryOutcome>;

/** Which dead letter of a service: an event may have failed in several handlers. */
export const letterKey = {
  handler: Type.String({ minLength: 1, maxLength: 200 }),
  event_id: Type.String({ minLength: 1, maxLength: 200 }),
};

/** A dead letter without its event, which may have personal data. */
export const letterFields = {
  ...letterKey,
  subject: Type.String(),
  deliveries: Type.Integer(),
  since: IsoDateTime,
  /** The class of the error, such as `PoisonMessage`; its text stays in the service. */
  fault: Type.String(),
};

/** The most letters that a service lists. */
export const MOST_LETTERS = 100;

/** The oldest dead letters of a service, and how many there are in all. */
export const listDeadLettersRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.list-dead-letters.v1`,
    request: Type.Object({}),
    response: Type.Object({ letters: Type.Array(Type.Object(letterFields)), total: Type.Integer() }),
    timeoutMs: 3_000,
    callers: ['auth'],
  });

/** Applies one dead letter of a service again. One at a time: an answer waits as long as a handler may take. */
export const retryDeadLetterRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.retry-dead-letter.v1`,
    request: Type.Object(letterKey),
    response: Type.Object({ outcome: RetryOutcome }),
    timeoutMs: 90_000,
    callers: ['ops', 'auth'],
  });

/** Deletes one dead letter for good; the operator's tool does so in the database. */
export const dropDeadLetterRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.drop-dead-letter.v1`,
    request: Type.Object(letterKey),
    response: Type.Object({ dropped: Type.Boolean() }),
    timeoutMs: 3_000,
    callers: ['auth'],
  });
