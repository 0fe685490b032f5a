/** What makes pages, and starts programs for it: for the converter, which has nothing worth stealing. */
export { createRenderer } from './final-pdf/compose.ts';
export { isolationOf, killLeftovers, type Isolation } from './processes/process.ts';
