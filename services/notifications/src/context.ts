/** What the features need, named once. */
import type { Directory } from '@karaar/platform/directory';
import type { Foundation } from '@karaar/platform/service';
import type { Config } from './config.ts';
import type { Database } from './db/schema.ts';

export type Context = Foundation<Database> & {
  config: Config;
  directory: Directory;
  /** The worker that sends e-mails; it looks for work at once when poked. */
  mail: { poke: () => void };
};
