import { conflict } from '@karaar/base/errors';

export const restChanged = () =>
  conflict('rest_changed', 'Your wallet no longer holds this amount. Nothing was given up.');
export const moneyUnderWay = () =>
  conflict(
    'money_under_way',
    'A top-up, a refund or a payment is under way. Nothing was given up. Please try again when it is finished.',
  );
