/** Tries, at the broker itself, the rights of one user. */
import { consumptions } from '@karaar/contracts/broker/consumptions';
import {
  askedBy,
  durableOf,
  eventStream,
  inboxOf,
  serviceOf,
  streamOf,
} from '@karaar/contracts/broker/names';
import { BROKER_USERS, rpcContracts, type BrokerUser } from '@karaar/contracts/broker/rights';
import { PUBLISHERS } from '@karaar/contracts/names';
import { connectTo } from '@karaar/testing/servers/nats';
import { createInbox, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node';

export type AtBroker = {
  /** Requests in its own name. */
  asks: string[];
  /** Services whose events it may publish. */
  says: string[];
  /** Event types from its own consumers. */
  reads: string[];
  /** Consumers of other services from which it may take messages. */
  takes: string[];
  /** Subjects with messages for others. */
  hears: string[];
  /** Requests in another's name, or without a name. */
  forges: string[];
  /** Changes to streams, and reading them past its own consumers. */
  shapes: string[];
};
type Probe = { right: keyof AtBroker; subject: string; name: string };

const VERBS = ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'SNAPSHOT', 'MSG.GET', 'MSG.DELETE'];
const EVERYTHING = ['>', 'evt.>', 'rpc.>', '_INBOX.>', '$JS.>'];

function probesFor(user: BrokerUser): Probe[] {
  const probes: Probe[] = [];
  const add = (right: keyof AtBroker, subject: string, name = subject) =>
    void probes.push({ right, subject, name });
  const others = BROKER_USERS.filter((other) => other !== user);
  for (const { subject } of rpcContracts) {
    add('asks', askedBy(subject, user), subject);
    for (const forged of [subject, ...others.map((other) => askedBy(subject, other))]) add('forges', forged);
    if (serviceOf(subject) !== (user === 'broker-admin' ? 'broker' : user))
      add('hears', askedBy(subject, '*'));
  }
  for (const subject of [...EVERYTHING, ...others.map((other) => `${inboxOf(other)}.>`)])
    add('hears', subject);
  for (const service of PUBLISHERS) {
    // An event type without consumers.
    add('says', `evt.${service}.drill.made.v1`, service);
    for (const verb of VERBS)
      add('shapes', `$JS.API.STREAM.${verb}.${eventStream(service)}`, `${verb} ${service}`);
  }
  for (const [service, handlers] of Object.entries(consumptions))
    for (const [handler, event] of Object.entries(handlers)) {
      const durable = durableOf(service, handler, event);
      const subject = `$JS.API.CONSUMER.MSG.NEXT.${streamOf(event.subject)}.${durable}`;
      if (service === user) add('reads', subject, event.type);
      else add('takes', subject, durable);
    }
  return probes;
}

/** @param url of the service's own user */
export async function tryBroker(url: string, user: BrokerUser): Promise<AtBroker> {
  const connection = await connectTo(url);
  const refusals = refusalsOf(connection);
  const probes = probesFor(user);
  // The broker and the services reject this payload, so an allowed message changes nothing.
  for (const { right, subject } of probes)
    if (right === 'hears') connection.subscribe(subject, { callback: () => undefined });
    else connection.publish(subject, 'null', { reply: createInbox(inboxOf(user)) });
  // The broker refuses messages in their order, before it answers the flush.
  await connection.flush();
  await connection.close();
  const refused = await refusals;
  const may = (right: keyof AtBroker): string[] => {
    const operation = right === 'hears' ? 'subscription' : 'publish';
    const allowed = probes.filter(
      (probe) => probe.right === right && !refused.has(`${operation} ${probe.subject}`),
    );
    return [...new Set(allowed.map(({ name }) => name))];
  };
  return {
    asks: may('asks'),
    says: may('says'),
    reads: may('reads').sort(),
    takes: may('takes'),
    hears: may('hears'),
    forges: may('forges'),
    shapes: may('shapes'),
  };
}

/** Resolves when the connection is closed. */
async function refusalsOf(connection: NatsConnection): Promise<Set<string>> {
  const refused = new Set<string>();
  for await (const status of connection.status())
    if (status.type === 'error' && status.error instanceof PermissionViolationError)
      refused.add(`${status.error.operation} ${status.error.subject}`);
  return refused;
}
