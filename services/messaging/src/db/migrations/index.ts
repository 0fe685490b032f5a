/** Every migration by its name, in the order of the names. */
import * as init from './20261121T0000Z-init.ts';
import * as attachments from './20261121T0300Z-attachments.ts';
import * as delivered from './20261121T0510Z-delivered.ts';
import * as threads from './20261121T0710Z-threads.ts';
import * as directoryLanguage from './20261121T0410Z-directory-language.ts';
import * as partitionEvents from './20261121T1020Z-partition-events.ts';
import * as partitionMessages from './20261121T1050Z-partition-messages.ts';
import * as approaches from './20261121T1055Z-approaches.ts';
import * as automaticReports from './20261122T2200Z-automatic-reports.ts';
import * as attachmentPaths from './20261122T2215Z-attachment-paths.ts';
import * as unreadNotices from './20261126T1210Z-unread-notices.ts';
import * as unreadNoticesFound from './20261126T1211Z-unread-notices-found.ts';
import * as contactSearches from './20261127T1140Z-contact-searches.ts';

export const migrations = {
  '20261121T0000Z-init': init,
  '20261121T0300Z-attachments': attachments,
  '20261121T0410Z-directory-language': directoryLanguage,
  '20261121T0510Z-delivered': delivered,
  '20261121T0710Z-threads': threads,
  '20261121T1020Z-partition-events': partitionEvents,
  '20261121T1050Z-partition-messages': partitionMessages,
  '20261121T1055Z-approaches': approaches,
  '20261122T2200Z-automatic-reports': automaticReports,
  '20261122T2215Z-attachment-paths': attachmentPaths,
  '20261126T1210Z-unread-notices': unreadNotices,
  '20261126T1211Z-unread-notices-found': unreadNoticesFound,
  '20261127T1140Z-contact-searches': contactSearches,
};
