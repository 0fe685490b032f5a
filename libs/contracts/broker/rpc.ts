/**
 * Requests of services to the broker admin, which alone creates streams and consumers. Each concerns the
 * caller's own stream and consumers, except those of the operator's tool.
 */
import { Type } from 'typebox';
import { defineRpc } from '../kit.ts';
import { SERVICE_NAMES } from '../names.ts';

/**
 * A stream's creation time, which distinguishes it from a later one of the same name, and its last sequence
 * number.
 */
const StreamState = Type.Object({ created: Type.String(), last_seq: Type.Integer() });

export const brokerRpc = {
  /** Returns the caller's own stream, creating it if missing. */
  ensureStream: defineRpc({
    subject: 'rpc.broker.ensure-stream.v1',
    request: Type.Object({}),
    response: StreamState,
    timeoutMs: 10_000,
    callers: SERVICE_NAMES,
  }),
  /**
   * Recreates the caller's own stream, empty, because the stream `created` at that time has lost its end;
   * does nothing if it was already recreated.
   */
  renewStream: defineRpc({
    subject: 'rpc.broker.renew-stream.v1',
    request: Type.Object({ created: Type.String() }),
    response: StreamState,
    timeoutMs: 10_000,
    callers: SERVICE_NAMES,
  }),
  /**
   * Recreates every stream, empty and without consumers, after the databases were restored to an earlier
   * time.
   */
  emptyStreams: defineRpc({
    subject: 'rpc.broker.empty-streams.v1',
    request: Type.Object({}),
    response: Type.Object({ streams: Type.Integer(), events: Type.Integer() }),
    timeoutMs: 60_000,
    callers: ['ops'],
  }),
  /** Creates or updates a durable consumer of the caller for one event and one handler. */
  ensureConsumer: defineRpc({
    subject: 'rpc.broker.ensure-consumer.v1',
    request: Type.Object({
      handler: Type.String({ maxLength: 100 }),
      type: Type.String({ maxLength: 100, pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' }),
      version: Type.Integer({ minimum: 1 }),
      ack_wait_ms: Type.Integer({ minimum: 1 }),
    }),
    response: Type.Object({}),
    timeoutMs: 10_000,
    callers: SERVICE_NAMES,
  }),
} as const;
