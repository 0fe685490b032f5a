/**
 * A service's own stream and consumers: the service reads their state; only the broker admin may create them.
 */
import { durableOf, eventStream, streamOf } from '@karaar/contracts/broker/names';
import { brokerRpc } from '@karaar/contracts/broker/rpc';
import type { EventContract } from '@karaar/contracts/kit';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Link } from './link.ts';
import { request } from './rpc/request.ts';

/** Days that an event stays in its stream; the outbox keeps its rows at least as long. */
export const STREAM_DAYS = 30;

/** Maximum concurrent unacknowledged deliveries of one consumer. */
export const MAX_ACK_PENDING = 1_000;

/**
 * A stream's creation time, which distinguishes it from a later one of the same name, and its last sequence
 * number.
 */
export type StreamState = { created: string; last_seq: number };

/** Returns the state of the stream of `service`; the broker admin creates it if it is missing. */
export async function ensureStream(link: Link, service: string): Promise<StreamState> {
  try {
    const { created, state } = await link.jsm.streams.info(eventStream(service));
    return { created, last_seq: state.last_seq };
  } catch (error) {
    if (!hasCode(error, JetStreamApiCodes.StreamNotFound)) throw error;
    return await request(link, brokerRpc.ensureStream, {}, { checkReply: true });
  }
}

/**
 * Asks the broker admin to recreate the service's stream if it still has the creation time `created`. The
 * relay refills it from the outbox.
 */
export const renewStream = (link: Link, created: string): Promise<StreamState> =>
  request(link, brokerRpc.renewStream, { created }, { checkReply: true });

/** Asks the broker admin to create or update a durable pull consumer of one event. */
export async function ensureConsumer(
  link: Link,
  { event, handler, ackWaitMs }: { event: EventContract; handler: string; ackWaitMs: number },
): Promise<void> {
  try {
    const { config } = await link.jsm.consumers.info(
      streamOf(event.subject),
      durableOf(link.name, handler, event),
    );
    if (config.ack_wait === nanos(ackWaitMs) && config.max_ack_pending === MAX_ACK_PENDING) return;
  } catch (error) {
    const missing = [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound];
    if (!missing.some((code) => hasCode(error, code))) throw error;
  }
  const { type, version } = event;
  const consumer = { handler, type, version, ack_wait_ms: ackWaitMs };
  await request(link, brokerRpc.ensureConsumer, consumer, { checkReply: true });
}

/** Returns true if JetStream refused with this code. */
export function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
