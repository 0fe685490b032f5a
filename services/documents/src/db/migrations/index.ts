/** Every migration by its name, in the order of the names. */
import * as init from './20261121T0000Z-init.ts';
import * as pricingEditing from './20261121T0410Z-pricing-editing.ts';
import * as directoryLanguage from './20261121T0415Z-directory-language.ts';
import * as log from './20261121T0420Z-log.ts';
import * as agreements from './20261121T0425Z-agreements.ts';
import * as erasableAuthor from './20261121T0426Z-erasable-author.ts';
import * as sealCertificates from './20261121T0445Z-seal-certificates.ts';
import * as photoHints from './20261121T0530Z-photo-hints.ts';
import * as finalizationProgress from './20261121T0710Z-finalization-progress.ts';
import * as listSearch from './20261121T0725Z-list-search.ts';
import * as adminLists from './20261121T0740Z-admin-lists.ts';
import * as forsakenImages from './20261121T0740Z-forsaken-images.ts';
import * as liveCaptures from './20261121T0800Z-live-captures.ts';
import * as partitionEvents from './20261121T1020Z-partition-events.ts';
import * as partitionHistory from './20261121T1045Z-partition-history.ts';
import * as tally from './20261121T1045Z-tally.ts';
import * as eyeAgreement from './20261121T1100Z-eye-agreement.ts';
import * as attachments from './20261121T1355Z-attachments.ts';
import * as approvals from './20261122T1500Z-approvals.ts';
import * as captureSources from './20261122T1600Z-capture-sources.ts';
import * as uploads from './20261122T1700Z-uploads.ts';
import * as pagesApproved from './20261122T1900Z-pages-approved.ts';
import * as invitations from './20261122T2200Z-invitations.ts';
import * as uploadsInTurn from './20261122T2230Z-uploads-in-turn.ts';
import * as finalizationFence from './20261122T2330Z-finalization-fence.ts';
import * as chargeNumber from './20261123T2150Z-charge-number.ts';
import * as logRestarts from './20261124T0145Z-log-restarts.ts';
import * as courtPacks from './20261125T0250Z-court-packs.ts';
import * as openWork from './20261125T0300Z-open-work.ts';
import * as openInvitations from './20261125T0700Z-open-invitations.ts';
import * as rhythm from './20261125T0735Z-rhythm.ts';
import * as expiring from './20261125T0745Z-expiring.ts';
import * as byEnd from './20261125T0746Z-by-end.ts';
import * as signingKeys from './20261125T0830Z-signing-keys.ts';
import * as answerBy from './20261125T1430Z-answer-by.ts';
import * as answerByIndexes from './20261125T1431Z-answer-by-indexes.ts';
import * as contactStops from './20261125T1900Z-contact-stops.ts';
import * as reminders from './20261125T2235Z-reminders.ts';
import * as remindersChecked from './20261125T2236Z-reminders-checked.ts';
import * as stepUp from './20261125T2245Z-step-up.ts';
import * as keyEntriesByUser from './20261125T2246Z-key-entries-by-user.ts';
import * as faceBox from './20261127T1100Z-face-box.ts';
import * as partyNames from './20261127T1110Z-party-names.ts';
import * as leftOut from './20261127T1440Z-left-out.ts';

export const migrations = {
  '20261121T0000Z-init': init,
  '20261121T0410Z-pricing-editing': pricingEditing,
  '20261121T0415Z-directory-language': directoryLanguage,
  '20261121T0420Z-log': log,
  '20261121T0425Z-agreements': agreements,
  '20261121T0426Z-erasable-author': erasableAuthor,
  '20261121T0445Z-seal-certificates': sealCertificates,
  '20261121T0530Z-photo-hints': photoHints,
  '20261121T0710Z-finalization-progress': finalizationProgress,
  '20261121T0725Z-list-search': listSearch,
  '20261121T0740Z-admin-lists': adminLists,
  '20261121T0740Z-forsaken-images': forsakenImages,
  '20261121T0800Z-live-captures': liveCaptures,
  '20261121T1020Z-partition-events': partitionEvents,
  '20261121T1045Z-partition-history': partitionHistory,
  '20261121T1045Z-tally': tally,
  '20261121T1100Z-eye-agreement': eyeAgreement,
  '20261121T1355Z-attachments': attachments,
  '20261122T1500Z-approvals': approvals,
  '20261122T1600Z-capture-sources': captureSources,
  '20261122T1700Z-uploads': uploads,
  '20261122T1900Z-pages-approved': pagesApproved,
  '20261122T2200Z-invitations': invitations,
  '20261122T2230Z-uploads-in-turn': uploadsInTurn,
  '20261122T2330Z-finalization-fence': finalizationFence,
  '20261123T2150Z-charge-number': chargeNumber,
  '20261124T0145Z-log-restarts': logRestarts,
  '20261125T0250Z-court-packs': courtPacks,
  '20261125T0300Z-open-work': openWork,
  '20261125T0700Z-open-invitations': openInvitations,
  '20261125T0735Z-rhythm': rhythm,
  '20261125T0745Z-expiring': expiring,
  '20261125T0746Z-by-end': byEnd,
  '20261125T0830Z-signing-keys': signingKeys,
  '20261125T1430Z-answer-by': answerBy,
  '20261125T1431Z-answer-by-indexes': answerByIndexes,
  '20261125T1900Z-contact-stops': contactStops,
  '20261125T2235Z-reminders': reminders,
  '20261125T2236Z-reminders-checked': remindersChecked,
  '20261125T2245Z-step-up': stepUp,
  '20261125T2246Z-key-entries-by-user': keyEntriesByUser,
  '20261127T1100Z-face-box': faceBox,
  '20261127T1110Z-party-names': partyNames,
  '20261127T1440Z-left-out': leftOut,
};
