/** What the features need, named once. Tests override single parts. */
import type { BlobStore } from '@karaar/platform/blobs';
import type { Foundation } from '@karaar/platform/service';
import type { SmsSender } from '@karaar/platform/sms';
import type { Config } from './config.ts';
import type { Database } from './db/schema.ts';
import type { UserRow } from './features/accounts/accounts.repository.ts';
import type { SecretBox } from './features/accounts/secret-box.ts';
import type { OtpStore } from './features/otp/otp.store.ts';
import type { RateLimit } from './features/accounts/rate-limit.ts';
import type { TokenKeys } from './features/sessions/token-keys.ts';

export type Context = Foundation<Database> & {
  config: Config;
  blobs: BlobStore;
  otp: OtpStore;
  /** Key of the HMAC under which one-time codes are kept. */
  otpPepper: Buffer;
  sms: SmsSender;
  findUserByPhone: (phone: string) => Promise<UserRow | undefined>;
  idNumbers: SecretBox;
  registrations: RateLimit;
  tokenKeys: TokenKeys;
};
