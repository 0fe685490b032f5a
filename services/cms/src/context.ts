import type { Foundation } from '@karaar/service';
import type { Database } from './db/schema.ts';

export type Context = Foundation<Database>;
