import { blobEnv, janitorEnv } from '@karaar/platform/blobs';
import { loadConfig } from '@karaar/platform/config';
import { serviceEnv } from '@karaar/platform/service';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  ...blobEnv,
  ...janitorEnv,
  /** How often a link to an attachment works, in seconds. */
  FILE_LINK_TTL_S: Type.Integer({ minimum: 10, default: 900 }),
  /** How many strangers who have not answered a user may write to, in an hour and in a day. */
  STRANGERS_PER_HOUR: Type.Integer({ minimum: 1, default: 20 }),
  STRANGERS_PER_DAY: Type.Integer({ minimum: 1, default: 60 }),
  /** Searches of the chat list for a whole phone number or e-mail address, per user. */
  CONTACT_SEARCHES_PER_HOUR: Type.Integer({ minimum: 1, default: 120 }),
  /** For how many seconds a message waits unread before its reader is told of it. */
  UNREAD_NOTICE_AFTER_S: Type.Integer({ minimum: 1, default: 1_800 }),
});
export type Config = Readonly<Static<typeof Config>>;

/** Reads the environment once; lists every fault. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(Config, env);
