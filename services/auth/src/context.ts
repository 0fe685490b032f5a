/** The dependencies of all features. Tests replace single ones. */
import type { Language } from '@karaar/contracts/limits';
import type { BlobStore } from '@karaar/platform/blobs';
import type { Foundation } from '@karaar/platform/service';
import type { SmsSender } from '@karaar/platform/sms';
import type { Config } from './config.ts';
import type { Database } from './db/schema.ts';
import type { SecretBox } from './secret-box.ts';
import type { Limit } from './features/limits/limits.ts';
import type { OtpStore } from './features/otp/otp.store.ts';
import type { TokenKeys } from './features/sessions/token-keys.ts';

export type Context = Foundation<Database> & {
  config: Config;
  blobs: BlobStore;
  otp: OtpStore;
  /** Key of the HMACs under which codes, phones and addresses are counted. */
  pepper: Buffer;
  sms: SmsSender;
  /** Whether a number has an account, and the language of that account. */
  phoneOwner: (phone: string) => Promise<{ known: boolean; language: Language | null }>;
  /** ID numbers and second factors, sealed in their columns. */
  secrets: SecretBox;
  tokenKeys: TokenKeys;
  /** By address. */
  registrations: Limit;
  /** By user. */
  contactSearches: Limit;
  emailChanges: Limit;
  phoneMoves: Limit;
  exports: Limit;
  /** By admin. */
  passwordChecks: Limit;
};
