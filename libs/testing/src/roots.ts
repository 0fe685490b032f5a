import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's root folder. */
export const cloneRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Everything that running and testing leaves behind is below it, outside of version control. */
export const stateRoot = join(cloneRoot, '.karaar');
