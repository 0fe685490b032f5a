/** The part that starts programs. Only the converter imports it: it holds no secrets. */
export { createRenderer } from './final-pdf/compose.ts';
export { isolationOf, killLeftovers, type Isolation } from './processes/process.ts';
