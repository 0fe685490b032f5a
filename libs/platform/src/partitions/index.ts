/** Tables divided by time: made in migrations, kept ahead, dropped when past. */
export { idAt, spanOf } from './bounds.ts';
export {
  partitionedTables,
  partitionOf,
  PARTITIONS_SQL,
  partitionsOf,
  type Partition,
  type Partitioned,
  type PartitionRow,
} from './catalog.ts';
export { partitionByTime } from './convert.ts';
export { keepPartitions, partitionStates, upkeep, type PartitionKeeper } from './keeper.ts';
export { dropPast, ensureSpans, remakePartitions, type PartitionState, type Retention } from './upkeep.ts';
