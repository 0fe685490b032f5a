/** Every migration by its name, in the order of the names. */
import * as init from './20261121T0000Z-init.ts';
import * as completedAt from './20261121T0420Z-completed-at.ts';
import * as adminLists from './20261121T0730Z-admin-lists.ts';
import * as partitionEvents from './20261121T1020Z-partition-events.ts';
import * as tally from './20261121T1045Z-tally.ts';
import * as paymentSteps from './20261121T1130Z-payment-steps.ts';
import * as stoppedCharges from './20261122T1510Z-stopped-charges.ts';
import * as reversals from './20261123T2150Z-reversals.ts';
import * as usedStepUps from './20261125T2245Z-used-step-ups.ts';
import * as cardFees from './20261127T1500Z-card-fees.ts';
import * as openPayments from './20261127T2040Z-open-payments.ts';

export const migrations = {
  '20261121T0000Z-init': init,
  '20261121T0420Z-completed-at': completedAt,
  '20261121T0730Z-admin-lists': adminLists,
  '20261121T1020Z-partition-events': partitionEvents,
  '20261121T1045Z-tally': tally,
  '20261121T1130Z-payment-steps': paymentSteps,
  '20261122T1510Z-stopped-charges': stoppedCharges,
  '20261123T2150Z-reversals': reversals,
  '20261125T2245Z-used-step-ups': usedStepUps,
  '20261127T1500Z-card-fees': cardFees,
  '20261127T2040Z-open-payments': openPayments,
};
