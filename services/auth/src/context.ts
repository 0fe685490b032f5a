import type { Language } from '@karaar/contracts/limits';
import type { BlobStore } from '@karaar/storage/blobs';
import type { Foundation } from '@karaar/service';
import type { SmsSender } from '@karaar/sms';
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
  /** Key of the HMACs that stand for codes, phones and addresses in counters. */
  pepper: Buffer;
  sms: SmsSender;
  /** Returns whether a number has an account, and the account's language. */
  phoneOwner: (phone: string) => Promise<{ known: boolean; language: Language | null }>;
  secrets: SecretBox;
  tokenKeys: TokenKeys;
  /** Counted per address. */
  registrations: Limit;
  /** Counted per network of a customer. */
  networkRegistrations: Limit;
  /** Counted per user, as are the three limits below. */
  contactSearches: Limit;
  emailChanges: Limit;
  phoneMoves: Limit;
  exports: Limit;
  /** Counted per admin. */
  passwordChecks: Limit;
};
