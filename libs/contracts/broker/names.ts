/** How contracts map to the broker's names. */
import type { EventContract } from '../kit.ts';

/** The service in a subject: `wallet` in `rpc.wallet.export-user.v1` and `evt.wallet.account.debited.v1`. */
export function serviceOf(subject: string): string {
  const service = subject.split('.')[1];
  if (!service) throw new Error(`No service in subject ${subject}`);
  return service;
}

/** The stream with all events of a service: `EVT_WALLET`. */
export const eventStream = (service: string): string => `EVT_${service.toUpperCase().replaceAll('-', '_')}`;

/** The stream that carries a subject. */
export const streamOf = (subject: string): string => eventStream(serviceOf(subject));

/** The durable consumer of one handler for one event: `documents__directory__auth_user_updated_v1`. */
export function durableOf(
  consumer: string,
  handler: string,
  event: Pick<EventContract, 'type' | 'version'>,
): string {
  const clean = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return `${clean(consumer)}__${clean(handler)}__${clean(event.type)}_v${event.version}`;
}

/** Where the answers to a user's requests arrive; no other user may listen there. */
export const inboxOf = (user: string): string => `_INBOX_${user}`;

/**
 * A request as it is on the wire: its last token is the caller's name, and the broker lets only that caller use it.
 */
export const askedBy = (subject: string, caller: string): string => `${subject}.${caller}`;

/** Who asked, by the subject on the wire. */
export const callerOf = (wireSubject: string): string => wireSubject.split('.').at(-1) ?? '';
