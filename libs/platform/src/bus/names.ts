/** How contracts map to the broker's names, and how people call a service. */
import { serviceOf } from '@karaar/contracts/broker/names';

export { durableOf, serviceOf, streamOf } from '@karaar/contracts/broker/names';

/** Words for people where the service's name is not one. */
const WORDS: Record<string, string> = {
  auth: 'Sign-in',
  cms: 'This page',
  vision: 'Photo checking',
  broker: 'Events',
};

/** "Wallet is not available right now. Please try again." for any subject of the wallet. */
export function unavailableText(subject: string): string {
  const service = serviceOf(subject);
  const word = WORDS[service] ?? service.charAt(0).toUpperCase() + service.slice(1);
  return `${word} ${word.endsWith('s') ? 'are' : 'is'} not available right now. Please try again.`;
}
