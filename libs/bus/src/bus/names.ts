/** Maps contracts to the broker's names, and services to names for users. */
export { durableOf, serviceOf, streamOf } from '@karaar/contracts/broker/names';

/** Names for users, for services whose own name is not readable. */
const WORDS: Record<string, string> = {
  auth: 'Sign-in',
  cms: 'This page',
  vision: 'Photo checking',
  broker: 'Events',
};

/** Returns for example "Wallet is not available right now. Please try again." */
export function unavailableText(service: string): string {
  const word = WORDS[service] ?? service.charAt(0).toUpperCase() + service.slice(1);
  return `${word} ${word.endsWith('s') ? 'are' : 'is'} not available right now. Please try again.`;
}
