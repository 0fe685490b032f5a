/** What every service with consumers answers to the operator's tool about events that it could not apply. */
import { Type, type Static } from 'typebox';
import { defineRpc } from './kit.ts';

/** `gone`: nobody keeps this letter any more; `unhandled`: this version of the service has no handler of that name. */
export const RetryOutcome = Type.Union([
  Type.Literal('applied'),
  Type.Literal('failed'),
  Type.Literal('gone'),
  Type.Literal('unhandled'),
]);
export type RetryOutcome = Static<typeof RetryOutcome>;

/** Applies one dead letter of a service again. One at a time: an answer waits as long as a handler may take. */
export const retryDeadLetterRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.retry-dead-letter.v1`,
    request: Type.Object({ handler: Type.String(), event_id: Type.String() }),
    response: Type.Object({ outcome: RetryOutcome }),
    timeoutMs: 90_000,
    callers: ['ops'],
  });
