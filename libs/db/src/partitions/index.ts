/** Tables partitioned by time: created in migrations, extended ahead, dropped when old. */
export { addPartitions } from './add.ts';
export { offerUpkeep } from '../db-kit/partition-functions.ts';
export { idAt, momentOf, spanOf, type Span } from './bounds.ts';
export {
  partitionedTables,
  partitionOf,
  PARTITIONS_SQL,
  partitionsOf,
  type Partitioned,
  type PartitionRow,
} from './catalog.ts';
export { keepPartitions, partitionStates, upkeep } from './worker.ts';
export { dropPast, ensureSpans, remakePartitions, type PartitionState, type Retention } from './upkeep.ts';
