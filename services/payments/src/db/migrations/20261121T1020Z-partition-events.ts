import { partitionBusTables } from '@karaar/platform/bus';

/** Divides the tables of events by months. */
export const up = partitionBusTables;
