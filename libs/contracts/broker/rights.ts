/**
 * The publish and subscribe rights of each process at the broker, derived from the contracts: the single
 * source for the broker's users in development, tests, compose and Kubernetes (docs/adr/0054).
 */
import { authRpc } from '../auth/rpc.ts';
import { cmsRpc } from '../cms/rpc.ts';
import { dropDeadLetterRpc, listDeadLettersRpc, retryDeadLetterRpc } from '../dead-letters.ts';
import { documentsRpc } from '../documents/rpc.ts';
import type { RpcContract } from '../kit.ts';
import { notificationsRpc } from '../notifications/rpc.ts';
import { paymentsRpc } from '../payments/rpc.ts';
import { deletionRpc, exportRpc } from '../personal-data.ts';
import { PUBLISHERS, SERVICE_NAMES, type ServiceName } from '../names.ts';
import { consumptions } from './consumptions.ts';
import { askedBy, durableOf, eventStream, inboxOf, serviceOf, streamOf } from './names.ts';
import { brokerRpc } from './rpc.ts';

/** The services, the gateway, the operator's tool, and the broker admin. */
export const BROKER_USERS = [...SERVICE_NAMES, 'gateway', 'ops', 'broker-admin'] as const;
export type BrokerUser = (typeof BROKER_USERS)[number];

export const rpcContracts: readonly RpcContract[] = [
  ...Object.values(authRpc),
  ...Object.values(cmsRpc),
  ...Object.values(documentsRpc),
  ...Object.values(notificationsRpc),
  ...Object.values(paymentsRpc),
  ...Object.values(exportRpc),
  ...Object.values(deletionRpc),
  ...PUBLISHERS.map(listDeadLettersRpc),
  ...PUBLISHERS.map(retryDeadLetterRpc),
  ...PUBLISHERS.map(dropDeadLetterRpc),
  ...Object.values(brokerRpc),
];

/**
 * Subjects, with the broker's wildcards. A user that `responds` may also answer each received request once.
 */
export type Rights = { publish: string[]; subscribe: string[]; responds: boolean };

/** Returns the rights that the contracts give a user; the broker denies everything else. */
export function brokerRights(user: BrokerUser): Rights {
  const answers = rpcContracts.filter(({ subject }) => serviceOf(subject) === servedBy(user));
  return {
    publish: [
      ...rpcContracts
        .filter(({ callers }) => callers.includes(user))
        .map(({ subject }) => askedBy(subject, user)),
      ...(user === 'broker-admin' ? MANAGING : []),
      ...(isPublisher(user) ? ownStream(user) : []),
      ...(isService(user) ? ownConsumers(user) : []),
    ],
    subscribe: [`${inboxOf(user)}.>`, ...answers.map(({ subject }) => askedBy(subject, '*'))],
    responds: answers.length > 0,
  };
}

/** In subjects the broker admin is called `broker`, since requests to it are about the broker. */
const servedBy = (user: BrokerUser): string => (user === 'broker-admin' ? 'broker' : user);

const isService = (user: string): user is ServiceName => SERVICE_NAMES.some((name) => name === user);
const isPublisher = (user: string): user is ServiceName => PUBLISHERS.some((name) => name === user);

/** Rights to manage streams and consumers, but not to read their events. */
const MANAGING = [
  ...['CREATE', 'UPDATE', 'INFO', 'DELETE'].map((verb) => `$JS.API.STREAM.${verb}.*`),
  '$JS.API.CONSUMER.INFO.*.*',
  '$JS.API.CONSUMER.CREATE.*.*.>',
  '$JS.API.CONSUMER.DURABLE.CREATE.*.*',
];

const ownStream = (service: ServiceName): string[] => [
  `evt.${service}.>`,
  `$JS.API.STREAM.INFO.${eventStream(service)}`,
];

const ownConsumers = (service: ServiceName): string[] =>
  Object.entries(consumptions[service]).flatMap(([handler, event]) => {
    const name = `${streamOf(event.subject)}.${durableOf(service, handler, event)}`;
    return [`$JS.API.CONSUMER.INFO.${name}`, `$JS.API.CONSUMER.MSG.NEXT.${name}`, `$JS.ACK.${name}.>`];
  });
