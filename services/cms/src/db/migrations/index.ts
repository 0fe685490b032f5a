/** Every migration by its name, in the order of the names. */
import * as init from './20261121T0000Z-init.ts';
import * as versionsAndDrafts from './20261121T0710Z-versions-and-drafts.ts';
import * as partitionEvents from './20261121T1020Z-partition-events.ts';

export const migrations = {
  '20261121T0000Z-init': init,
  '20261121T0710Z-versions-and-drafts': versionsAndDrafts,
  '20261121T1020Z-partition-events': partitionEvents,
};
