/** The dependencies of all features. Tests replace single ones. */
import type { Principal } from '@karaar/platform/auth';
import type { BlobStore } from '@karaar/platform/blobs';
import type { Bus, Outbox } from '@karaar/platform/bus';
import type { Directory } from '@karaar/platform/directory';
import type { Logger } from '@karaar/platform/logging';
import type { SmsSender } from '@karaar/platform/sms';
import type { Certificate } from '@karaar/proof/seal/certificate';
import type { Config } from './config.ts';
import type { Db } from './db/schema.ts';
import type { SignPath } from './features/agreements/agreements.presenter.ts';
import type { LogIdentity, Witness } from './features/transparency-log/log-identity.ts';
import type { PhotoCheck } from './features/identity-verification/photo-check.ts';
import type { GrantKey } from './features/step-up/grant-key.ts';
import type { ConcurrencyLimit } from './features/public-verification/concurrency-limit.ts';
import type { Renderer } from '@karaar/rendering';
import type { Sealer } from '@karaar/sealing';

export type Context = {
  config: Config;
  logger: Logger;
  db: Db;
  bus: Bus;
  outbox: Outbox;
  blobs: BlobStore;
  directory: Directory;
  photoCheck: PhotoCheck;
  renderer: Renderer;
  sealer: Sealer;
  sms: SmsSender;
  /** Keys the hashes of contacts that want no invitations, and signs the links by which they say so. */
  contactsKey: Buffer;
  /** Roots of the timestamp authorities that verification trusts. */
  timestampRoots: readonly Certificate[];
  /** Limits how many files are verified at the same time. */
  verifyLimit: ConcurrencyLimit;
  /** The key by which this process signs grants of confirmed acts. */
  grantKey: GrantKey;
  /** Signs stored paths for one viewer in one session. */
  signFor: (viewer: Pick<Principal, 'userId' | 'sessionId'>) => SignPath;
  /** The finalization worker of this process. */
  finalization: { poke: () => void };
  /** The transparency log: its identity, who cosigns it, and its worker in this process. */
  log: {
    identity: LogIdentity;
    witnesses: readonly Witness[];
    /** How many of them have to cosign. */
    quorum: number;
    poke: () => void;
  };
  /** The worker that checks files sent before their form. */
  uploads: { poke: () => void };
  /** The worker that sends text messages. */
  textMessages: { poke: () => void };
  /** The worker that sends invitations to phone numbers and e-mail addresses. */
  invitations: { poke: () => void };
};
