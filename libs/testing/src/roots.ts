import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const cloneRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** All files that running and testing leave behind are below it, outside version control. */
export const stateRoot = join(cloneRoot, '.karaar');
