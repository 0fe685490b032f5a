/** Every migration by its name, in the order of the names. */
import * as init from './20261121T0000Z-init.ts';
import * as language from './20261121T0410Z-language.ts';
import * as identity from './20261121T0425Z-identity.ts';
import * as userSearch from './20261121T0705Z-user-search.ts';
import * as adminLists from './20261121T0715Z-admin-lists.ts';
import * as partitionEvents from './20261121T1020Z-partition-events.ts';
import * as tally from './20261121T1045Z-tally.ts';
import * as adminPlaces from './20261122T2210Z-admin-places.ts';
import * as adminPasskeys from './20261123T1600Z-admin-passkeys.ts';
import * as contactProofs from './20261125T0705Z-contact-proofs.ts';
import * as usedStepUps from './20261125T2245Z-used-step-ups.ts';
import * as otpChallenges from './20261127T1100Z-otp-challenges.ts';
import * as otpSendsByKey from './20261127T1101Z-otp-sends-by-key.ts';
import * as accountActs from './20261127T1440Z-account-acts.ts';
import * as movingUsers from './20261127T1441Z-moving-users.ts';
import * as provedEmails from './20261127T1530Z-proved-emails.ts';

export const migrations = {
  '20261121T0000Z-init': init,
  '20261121T0410Z-language': language,
  '20261121T0425Z-identity': identity,
  '20261121T0705Z-user-search': userSearch,
  '20261121T0715Z-admin-lists': adminLists,
  '20261121T1020Z-partition-events': partitionEvents,
  '20261121T1045Z-tally': tally,
  '20261122T2210Z-admin-places': adminPlaces,
  '20261123T1600Z-admin-passkeys': adminPasskeys,
  '20261125T0705Z-contact-proofs': contactProofs,
  '20261125T2245Z-used-step-ups': usedStepUps,
  '20261127T1100Z-otp-challenges': otpChallenges,
  '20261127T1101Z-otp-sends-by-key': otpSendsByKey,
  '20261127T1440Z-account-acts': accountActs,
  '20261127T1441Z-moving-users': movingUsers,
  '20261127T1530Z-proved-emails': provedEmails,
};
