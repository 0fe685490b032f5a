import type { ServiceName } from '@karaar/contracts/services';

/** Each service as an error text calls it. */
export const SERVICE_TITLES: Readonly<Record<ServiceName, string>> = {
  auth: 'The sign-in service',
  documents: 'The documents service',
  payments: 'The payment service',
  wallet: 'The wallet service',
  messaging: 'The chat service',
  vision: 'The photo check',
  cms: 'The page service',
};
