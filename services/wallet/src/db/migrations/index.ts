/** Every migration by its name, in the order of the names. */
import * as init from './20261121T0000Z-init.ts';
import * as refunds from './20261121T0400Z-refunds.ts';
import * as tellOfCards from './20261121T0725Z-tell-of-cards.ts';
import * as partitionEvents from './20261121T1020Z-partition-events.ts';
import * as partitionEntries from './20261121T1045Z-partition-entries.ts';
import * as appendOnly from './20261121T1135Z-append-only.ts';
import * as refundsByOthers from './20261122T2240Z-refunds-by-others.ts';
import * as cancelledDebits from './20261122T2320Z-cancelled-debits.ts';
import * as coolSystemAccounts from './20261123T0440Z-cool-system-accounts.ts';
import * as paymentExceptions from './20261123T2120Z-payment-exceptions.ts';
import * as closedMonths from './20261124T0045Z-closed-months.ts';
import * as feesAndRests from './20261127T1500Z-fees-and-rests.ts';
import * as feesAndRestsChecked from './20261127T1501Z-fees-and-rests-checked.ts';

export const migrations = {
  '20261121T0000Z-init': init,
  '20261121T0400Z-refunds': refunds,
  '20261121T0725Z-tell-of-cards': tellOfCards,
  '20261121T1020Z-partition-events': partitionEvents,
  '20261121T1045Z-partition-entries': partitionEntries,
  '20261121T1135Z-append-only': appendOnly,
  '20261122T2240Z-refunds-by-others': refundsByOthers,
  '20261122T2320Z-cancelled-debits': cancelledDebits,
  '20261123T0440Z-cool-system-accounts': coolSystemAccounts,
  '20261123T2120Z-payment-exceptions': paymentExceptions,
  '20261124T0045Z-closed-months': closedMonths,
  '20261127T1500Z-fees-and-rests': feesAndRests,
  '20261127T1501Z-fees-and-rests-checked': feesAndRestsChecked,
};
