/**
 * The requests of services to the broker admin, which alone creates streams and consumers. Each is about the
 * caller's own stream and consumers, except those of the operator's tool.
 */
import { Type } from 'typebox';
import { defineRpc } from '../kit.ts';
import { SERVICE_NAMES } from '../names.ts';

/** A stream by its creation time, which tells it from a later one of the same name, and its last place. */
const StreamState = Type.Object({ created: Type.String(), last_seq: Type.Integer() });

export const brokerRpc = {
  /** The caller's own stream, made where it is missing. */
  ensureStream: defineRpc({
    subject: 'rpc.broker.ensure-stream.v1',
    request: Type.Object({}),
    response: StreamState,
    timeoutMs: 10_000,
    callers: SERVICE_NAMES,
  }),
  /**
   * Creates the caller's own stream again, empty, because the stream that was `created` at that time has lost its
   * end; does nothing if that has happened already.
   */
  renewStream: defineRpc({
    subject: 'rpc.broker.renew-stream.v1',
    request: Type.Object({ created: Type.String() }),
    response: StreamState,
    timeoutMs: 10_000,
    callers: SERVICE_NAMES,
  }),
  /** Makes every stream again, empty and without consumers, after the databases went back to an earlier time. */
  emptyStreams: defineRpc({
    subject: 'rpc.broker.empty-streams.v1',
    request: Type.Object({}),
    response: Type.Object({ streams: Type.Integer(), events: Type.Integer() }),
    timeoutMs: 60_000,
    callers: ['ops'],
  }),
  /** A durable consumer of the caller for one event and one handler, made where it is missing, or brought up to date. */
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
