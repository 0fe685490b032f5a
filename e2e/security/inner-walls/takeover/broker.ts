/** What the credentials of one service can ask, say, hear and shape at the broker: tried at the broker itself. */
import { consumptions } from '@karaar/contracts/broker/consumptions';
import { askedBy, durableOf, eventStream, inboxOf, streamOf } from '@karaar/contracts/broker/names';
import { BROKER_USERS, rpcContracts, type BrokerUser } from '@karaar/contracts/broker/rights';
import { PUBLISHERS } from '@karaar/contracts/names';
import { connectTo } from '@karaar/testing/servers/nats';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';

export type AtBroker = {
  /** Requests it may send in its own name. */
  asks: string[];
  /** Whose events it may say. */
  says: string[];
  /** Kinds of events that it may have delivered, from its own consumers. */
  reads: string[];
  /** Consumers of other services that it may empty in their place. */
  takes: string[];
  /** Whose words it may hear besides its own: requests of others, inboxes, events as they are said. */
  hears: string[];
  /** Requests it may send in another's name, or in none. */
  forges: string[];
  /** Streams whose shape or content it reaches past its own consumers. */
  shapes: string[];
};

/** Milliseconds in which the broker has refused what it refuses. */
const WITHIN_MS = 1_000;
const VERBS = ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'SNAPSHOT', 'MSG.GET', 'MSG.DELETE'];

/** @param url of the service's own user */
export async function tryBroker(url: string, user: BrokerUser): Promise<AtBroker> {
  const connection = await connectTo(url);
  try {
    const may = (subject: string) => mayPublish(connection, user, subject);
    const forges: string[] = [];
    const asks: string[] = [];
    for (const { subject } of rpcContracts) {
      if (await may(askedBy(subject, user))) asks.push(subject);
      for (const name of [
        subject,
        ...BROKER_USERS.filter((other) => other !== user).map((other) => askedBy(subject, other)),
      ])
        if (await may(name)) forges.push(name);
    }
    const says: string[] = [];
    const shapes: string[] = [];
    for (const service of PUBLISHERS) {
      // A kind of event that nobody consumes.
      if (await may(`evt.${service}.drill.made.v1`)) says.push(service);
      // An empty wish: where it is allowed, the broker refuses it for its form and changes nothing.
      for (const verb of VERBS)
        if (await may(`$JS.API.STREAM.${verb}.${eventStream(service)}`)) shapes.push(`${verb} ${service}`);
    }
    const { reads, takes } = await consumersOf(user, may);
    const hears: string[] = [];
    for (const subject of heard(user)) if (await maySubscribe(connection, subject)) hears.push(subject);
    return { asks, says, reads, takes, hears, forges, shapes };
  } finally {
    await connection.close();
  }
}

/**
 * From whose consumers events are delivered. The request asks for an invalid number of messages, so that none is
 * taken.
 */
async function consumersOf(
  user: BrokerUser,
  may: (subject: string) => Promise<boolean>,
): Promise<{ reads: string[]; takes: string[] }> {
  const reads = new Set<string>();
  const takes: string[] = [];
  const handled = Object.entries(consumptions).flatMap(([service, handlers]) =>
    Object.entries(handlers).map(([handler, event]) => ({
      service,
      event,
      durable: durableOf(service, handler, event),
    })),
  );
  // All at once: the broker says nothing of a stream that is not there.
  await Promise.all(
    handled.map(async ({ service, event, durable }) => {
      if (!(await may(`$JS.API.CONSUMER.MSG.NEXT.${streamOf(event.subject)}.${durable}`))) return;
      if (service === user) reads.add(event.type);
      else takes.push(durable);
    }),
  );
  return { reads: [...reads].sort(), takes };
}

/** What is meant for others. */
const heard = (user: BrokerUser): string[] => [
  '>',
  'evt.>',
  'rpc.>',
  '_INBOX.>',
  '$JS.>',
  ...BROKER_USERS.filter((other) => other !== user).map((other) => `${inboxOf(other)}.>`),
  ...rpcContracts
    .map(({ subject }) => askedBy(subject, '*'))
    .filter((subject) => subject.split('.')[1] !== served(user)),
];
const served = (user: BrokerUser): string => (user === 'broker-admin' ? 'broker' : user);

/** Whether the broker takes it; no service accepts the payload. */
async function mayPublish(connection: NatsConnection, user: BrokerUser, subject: string): Promise<boolean> {
  const reply = createInbox(inboxOf(user));
  try {
    await connection.request(subject, 'null', { noMux: true, reply, timeout: WITHIN_MS });
    return true;
  } catch (error) {
    return !isRefusal(error);
  }
}

async function maySubscribe(connection: NatsConnection, subject: string): Promise<boolean> {
  let refused = false;
  const subscription = connection.subscribe(subject, {
    callback: (error) => {
      refused ||= isRefusal(error);
    },
  });
  await connection.flush();
  subscription.unsubscribe();
  return !refused;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && (/permission/i.test(error.message) || isRefusal(error.cause));
