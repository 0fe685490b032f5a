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
};
