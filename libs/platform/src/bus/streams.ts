/** The broker's streams and consumers, made when missing and brought up to date when changed. */
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Link } from './link.ts';

const DAY = 24 * 60 * 60 * 1_000;

/** Days that an event stays in its stream; the outbox keeps its rows at least as long. */
export const STREAM_DAYS = 30;

/** JetStream's error code for a stream that exists with another configuration. */
const STREAM_NAME_IN_USE = 10058;

/**
 * Makes the stream `EVT_<SERVICE>` of `evt.<service>.>` or updates its settings, from whichever side
 * comes first, and tells its state.
 */
export async function ensureStream(link: Link, stream: string, service: string): Promise<StreamInfo> {
  const wanted: Partial<StreamConfig> & { name: string } = {
    name: stream,
    subjects: [`evt.${service}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: nanos(STREAM_DAYS * DAY),
    // A retry within this time is recognised by its message id; a later one by the inbox.
    duplicate_window: nanos(10 * 60 * 1_000),
    num_replicas: link.replicas,
  };
  try {
    await link.jsm.streams.add(wanted);
  } catch (error) {
    if (!hasCode(error, STREAM_NAME_IN_USE)) throw error;
    await link.jsm.streams.update(stream, wanted);
  }
  // Creating one that exists does not always report its state.
  return await link.jsm.streams.info(stream);
}

/** Whether JetStream refused with this code. */
function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

/** Removes a stream, if it is there. Only for one that is filled again from the outbox. */
export async function deleteStream(link: Link, stream: string): Promise<void> {
  try {
    await link.jsm.streams.delete(stream);
  } catch (error) {
    if (!hasCode(error, JetStreamApiCodes.StreamNotFound)) throw error;
  }
}

/** Makes a durable pull consumer of one subject or updates its settings. */
export async function ensureConsumer(
  link: Link,
  stream: string,
  options: { durable: string; subject: string; ackWaitMs: number },
): Promise<void> {
  const wanted: Partial<ConsumerConfig> = {
    durable_name: options.durable,
    filter_subject: options.subject,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(options.ackWaitMs),
    max_ack_pending: 1_000,
    // Never by the broker: an event that runs out of attempts goes to the dead letters instead.
    max_deliver: -1,
  };
  try {
    const { config } = await link.jsm.consumers.info(stream, options.durable);
    if (config.ack_wait === wanted.ack_wait && config.max_ack_pending === wanted.max_ack_pending) return;
    await link.jsm.consumers.update(stream, options.durable, wanted);
  } catch (error) {
    if (!hasCode(error, JetStreamApiCodes.ConsumerNotFound)) throw error;
    await link.jsm.consumers.add(stream, wanted);
  }
}
