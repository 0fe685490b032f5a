import { partitionBusTables } from '@karaar/platform/frozen-tables';

/** Divides the tables of events by months. */
export const up = partitionBusTables;
