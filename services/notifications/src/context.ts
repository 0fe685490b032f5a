import type { Directory } from '@karaar/bus/directory';
import type { Foundation } from '@karaar/service';
import type { SmsSender } from '@karaar/sms';
import type { Config } from './config.ts';
import type { Database } from './db/schema.ts';

export type Context = Foundation<Database> & {
  config: Config;
  directory: Directory;
  sms: SmsSender;
  /** Wakes the workers that send messages. */
  senders: { wake: () => void };
};
