import { conflict } from '@karaar/base/errors';

export const notPaid = () =>
  conflict('payment_not_completed', 'There is a receipt once the payment is completed.');
