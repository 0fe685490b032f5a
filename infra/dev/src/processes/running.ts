/** Programs run to their end, and lines about it, as the scripts that set the clone up have them. */
export { installDebian } from '../../bootstrap/programs.mjs';
export { findProgram, run, searchPath } from '../../bootstrap/run.mjs';
export { say, step } from '../../bootstrap/report.mjs';
