import type { Directory } from '@karaar/bus/directory';
import type { Foundation } from '@karaar/service';
import type { Config } from './config.ts';
import type { Database } from './db/schema.ts';

export type Context = Foundation<Database> & {
  config: Config;
  directory: Directory;
  /** Wakes the worker that sends e-mails. */
  mail: { wake: () => void };
};
