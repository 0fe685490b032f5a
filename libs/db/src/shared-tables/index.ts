/** Tables that several services have, for their migrations (ADR 0050). */
export { busTables } from './bus.ts';
export { directoryMarks, directoryTables } from './directory.ts';
export { counterTables, type CounterSource } from './counters.ts';
