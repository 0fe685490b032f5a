/**
 * The broker admin: the only process that creates streams and consumers, each with a fixed configuration. A
 * service that may configure a stream could copy other services' events or publish in another service's name
 * (docs/adr/0054).
 */
import { consumes } from '@karaar/contracts/broker/consumptions';
import { durableOf, eventStream, serviceOf } from '@karaar/contracts/broker/names';
import { PUBLISHERS } from '@karaar/contracts/names';
import { brokerRpc } from '@karaar/contracts/broker/rpc';
import type { RpcRequest } from '@karaar/contracts/kit';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { startWorker } from '@karaar/base/worker';
import { openLink, type BusLogger, type Link } from './link.ts';
import { refusal, Server } from './rpc/serve.ts';
import { hasCode, MAX_ACK_PENDING, STREAM_DAYS, type StreamState } from './streams.ts';

const DAY = 24 * 60 * 60 * 1_000;
const RECHECK_MS = 60_000;

/** JetStream's error code for an existing stream with another configuration. */
const STREAM_NAME_IN_USE = 10058;

type AskedConsumer = RpcRequest<typeof brokerRpc.ensureConsumer>;

export type Plan = {
  publishers: readonly string[];
  consumes: (service: string, handler: string, type: string, version: number) => boolean;
};
const ofContracts: Plan = { publishers: PUBLISHERS, consumes };

export type BrokerAdmin = {
  /** For readiness. @throws Error if the broker does not answer */
  check(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Creates every stream of the plan, also after the broker lost it, and answers the requests of services.
 * Waits for the broker without a limit.
 * @param options.replicas copies of each stream: 1, or 3 on a clustered broker
 * @param options.plan the plan of the contracts unless a test passes its own
 */
export async function startBrokerAdmin(options: {
  url: string;
  logger: BusLogger;
  replicas?: number;
  plan?: Plan;
}): Promise<BrokerAdmin> {
  const { logger, replicas = 1, plan = ofContracts } = options;
  const link = await openLink({ url: options.url, name: 'broker-admin', logger });
  // Each handler checks the caller's entry in the plan.
  const mayAsk = () => true;
  const servers = [
    new Server(
      link,
      brokerRpc.ensureStream,
      async (_asked, { caller }) => makeStream(link, publisher(plan, caller), replicas),
      { mayAsk },
    ),
    new Server(
      link,
      brokerRpc.renewStream,
      async ({ created }, { caller }) => renew(link, publisher(plan, caller), { created, replicas }),
      { mayAsk },
    ),
    new Server(link, brokerRpc.emptyStreams, async () => emptyStreams(link, plan, replicas), {}),
    new Server(
      link,
      brokerRpc.ensureConsumer,
      async (asked, { caller }) => {
        const { handler, type, version } = asked;
        if (!plan.consumes(caller, handler, type, version)) throw refusal();
        await makeStream(link, serviceOf(`evt.${type}`), replicas);
        await makeConsumer(link, caller, asked);
        return {};
      },
      { mayAsk },
    ),
  ];
  const worker = startWorker({
    restMs: RECHECK_MS,
    turn: async () => {
      if (!(await link.connectedWithin(RECHECK_MS))) return false;
      for (const service of plan.publishers) await makeStream(link, service, replicas);
      return false;
    },
    onError: (err) => logger.warn({ err }, 'streams will be looked after again'),
  });
  const off = link.onState((state) => state === 'connected' && worker.wake());
  await link.nc.flush();
  return {
    check: async () => {
      if (link.state !== 'connected') throw new Error('the broker is away');
      await link.nc.flush();
    },
    close: async () => {
      off();
      await Promise.all([worker.stop(), ...servers.map((server) => server.drain())]);
      await link.nc.close();
    },
  };
}

function publisher(plan: Plan, caller: string): string {
  if (!plan.publishers.includes(caller)) throw refusal();
  return caller;
}

async function makeStream(link: Link, service: string, replicas: number): Promise<StreamState> {
  const name = eventStream(service);
  const streamConfig: Partial<StreamConfig> & { name: string } = {
    name,
    subjects: [`evt.${service}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: nanos(STREAM_DAYS * DAY),
    // The broker deduplicates a retry within this time by its message id; the inbox deduplicates later ones.
    duplicate_window: nanos(10 * 60 * 1_000),
    num_replicas: replicas,
  };
  try {
    await link.jsm.streams.add(streamConfig);
  } catch (error) {
    if (!hasCode(error, STREAM_NAME_IN_USE)) throw error;
    await link.jsm.streams.update(name, streamConfig);
  }
  // JetStream does not always report the state of a stream that already exists.
  const { created, state } = await link.jsm.streams.info(name);
  return { created, last_seq: state.last_seq };
}

async function renew(
  link: Link,
  service: string,
  { created, replicas }: { created: string; replicas: number },
): Promise<StreamState> {
  const known = await makeStream(link, service, replicas);
  if (known.created !== created) return known;
  try {
    await link.jsm.streams.delete(eventStream(service));
  } catch (error) {
    if (!hasCode(error, JetStreamApiCodes.StreamNotFound)) throw error;
  }
  return await makeStream(link, service, replicas);
}

/** Returns how many events were dropped. The relays refill a stream when they detect that it is new. */
async function emptyStreams(
  link: Link,
  { publishers }: Plan,
  replicas: number,
): Promise<{ streams: number; events: number }> {
  let events = 0;
  for (const service of publishers) {
    const { created } = await makeStream(link, service, replicas);
    const { state } = await link.jsm.streams.info(eventStream(service));
    await renew(link, service, { created, replicas });
    events += state.messages;
  }
  return { streams: publishers.length, events };
}

/** All consumers are pull consumers. A push consumer could deliver events to any subject. */
async function makeConsumer(
  link: Link,
  owner: string,
  { handler, type, version, ack_wait_ms }: AskedConsumer,
): Promise<void> {
  const stream = eventStream(serviceOf(`evt.${type}`));
  const durable = durableOf(owner, handler, { type, version });
  const consumerConfig: Partial<ConsumerConfig> = {
    durable_name: durable,
    filter_subject: `evt.${type}.v${version}`,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ack_wait_ms),
    max_ack_pending: MAX_ACK_PENDING,
    // The broker never drops an event: after its last attempt it becomes a dead letter.
    max_deliver: -1,
  };
  try {
    const { config } = await link.jsm.consumers.info(stream, durable);
    if (config.ack_wait === consumerConfig.ack_wait && config.max_ack_pending === MAX_ACK_PENDING) return;
    await link.jsm.consumers.update(stream, durable, consumerConfig);
  } catch (error) {
    if (!hasCode(error, JetStreamApiCodes.ConsumerNotFound)) throw error;
    await link.jsm.consumers.add(stream, consumerConfig);
  }
}
