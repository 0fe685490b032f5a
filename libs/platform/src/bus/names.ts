/** How contracts map to the broker's names. */
import type { EventContract } from '@karaar/contracts/kit';

/** The service in a subject: `wallet` in `rpc.wallet.debit.v1` and `evt.wallet.account.debited.v1`. */
export function serviceOf(subject: string): string {
  const service = subject.split('.')[1];
  if (!service) throw new Error(`No service in subject ${subject}`);
  return service;
}

/** The stream that carries a subject: one for all events of a service, `EVT_WALLET`. */
export function streamOf(subject: string): string {
  return `EVT_${serviceOf(subject).toUpperCase().replaceAll('-', '_')}`;
}

/** The durable consumer of one handler for one event: `documents__directory__auth_user_updated_v1`. */
export function durableOf(consumer: string, handler: string, event: EventContract): string {
  const clean = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return `${clean(consumer)}__${clean(handler)}__${clean(event.type)}_v${event.version}`;
}

/** Words for people where the service's name is not one. */
const WORDS: Record<string, string> = { auth: 'Sign-in', cms: 'This page', vision: 'Photo checking' };

/** "Wallet is not available right now. Please try again." for any subject of the wallet. */
export function unavailableText(subject: string): string {
  const service = serviceOf(subject);
  const word = WORDS[service] ?? service.charAt(0).toUpperCase() + service.slice(1);
  return `${word} ${word.endsWith('s') ? 'are' : 'is'} not available right now. Please try again.`;
}
