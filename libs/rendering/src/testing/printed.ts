/** How moments and hashes are on the pages, for tests that look for them there. */
export { moment } from '../templates/format.ts';
export { shortHash } from '../templates/sentences.ts';
