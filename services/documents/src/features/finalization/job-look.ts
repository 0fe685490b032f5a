import { batched } from '@karaar/db/batching';
import type { Db } from '../../db/schema.ts';
import { jobStates, type JobRow } from './finalization.repository.ts';

const LOOK_MS = 150;

/** Returns the state of a document's job after 150 ms; undefined without a job. */
export type JobLook = (documentId: string) => Promise<JobRow['state'] | undefined>;

/** Returns a look that requests repeat while they wait. One query serves all that wait in this process. */
export const createJobLook = (db: Db): JobLook =>
  batched({ run: (ids: readonly string[]) => jobStates(db, ids), lingerMs: LOOK_MS });
