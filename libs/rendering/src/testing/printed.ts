/** The format of times and hashes on the pages, for tests. */
export { moment } from '../templates/format.ts';
export { shortHash } from '../templates/sentences.ts';
