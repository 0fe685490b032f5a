/**
 * Tables that several services have, for their migrations. What is here never changes: another form of a table is another
 * function, in a file of its own.
 */
export { busTables, partitionBusTables } from './bus.ts';
export { directoryLanguage, directoryMarks, directoryTables } from './directory.ts';
export { partitionByTime } from './partition.ts';
export { tallyTables, type TallySource } from './tally.ts';
