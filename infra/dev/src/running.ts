/** Programs run to their end, and lines about it, as the scripts that set the clone up have them. */
export { run } from '../bootstrap/run.mjs';
export { say, step } from '../bootstrap/report.mjs';
