import { blobEnv, janitorEnv } from '@karaar/storage/blobs';
import { loadConfig } from '@karaar/base/config';
import { serviceEnv } from '@karaar/service';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  ...blobEnv,
  ...janitorEnv,
  /** The lifetime of a link to an attachment, in seconds. */
  FILE_LINK_TTL_S: Type.Integer({ minimum: 10, default: 900 }),
  /** The most strangers without an answer to whom a user may write, per hour and per day. */
  STRANGERS_PER_HOUR: Type.Integer({ minimum: 1, default: 20 }),
  STRANGERS_PER_DAY: Type.Integer({ minimum: 1, default: 60 }),
  /** The most searches of the chat list by a whole phone number or e-mail address, per user. */
  CONTACT_SEARCHES_PER_HOUR: Type.Integer({ minimum: 1, default: 120 }),
  /** Seconds until the recipient of an unread message is notified. */
  UNREAD_NOTIFICATION_AFTER_S: Type.Integer({ minimum: 1, default: 1_800 }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Reads the configuration. Throws an error that lists every fault. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(Config, env);
