/** How contracts map to the broker's names, and the names of services for users. */
export { durableOf, serviceOf, streamOf } from '@karaar/contracts/broker/names';

/** Words for people where the service's name is not one. */
const WORDS: Record<string, string> = {
  auth: 'Sign-in',
  cms: 'This page',
  vision: 'Photo checking',
  broker: 'Events',
};

/** "Wallet is not available right now. Please try again." */
export function unavailableText(service: string): string {
  const word = WORDS[service] ?? service.charAt(0).toUpperCase() + service.slice(1);
  return `${word} ${word.endsWith('s') ? 'are' : 'is'} not available right now. Please try again.`;
}
