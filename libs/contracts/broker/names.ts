import type { EventContract } from '../kit.ts';

/**
 * Returns the service in a subject: `wallet` in `rpc.wallet.export-user.v1` and
 * `evt.wallet.card.changed.v1`.
 */
export function serviceOf(subject: string): string {
  const service = subject.split('.')[1];
  if (!service) throw new Error(`No service in subject ${subject}`);
  return service;
}

/** Returns the name of a service's event stream: `EVT_WALLET`. */
export const eventStream = (service: string): string => `EVT_${service.toUpperCase().replaceAll('-', '_')}`;

/** Returns the name of the stream of a subject. */
export const streamOf = (subject: string): string => eventStream(serviceOf(subject));

/**
 * Returns the name of the durable consumer of one handler for one event:
 * `documents__directory__auth_user_updated_v1`.
 */
export function durableOf(
  consumer: string,
  handler: string,
  event: Pick<EventContract, 'type' | 'version'>,
): string {
  const clean = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return `${clean(consumer)}__${clean(handler)}__${clean(event.type)}_v${event.version}`;
}

/** Returns the inbox for the replies to a broker user; no other user may subscribe to it. */
export const inboxOf = (user: string): string => `_INBOX_${user}`;

/**
 * Returns the request subject on the wire: its last token is the caller's name, which the broker lets only
 * that caller use.
 */
export const askedBy = (subject: string, caller: string): string => `${subject}.${caller}`;

/** Returns the caller from the subject on the wire. */
export const callerOf = (wireSubject: string): string => wireSubject.split('.').at(-1) ?? '';
