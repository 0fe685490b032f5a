/** The dependencies of all features. Tests replace single ones. */
import type { KeyObject } from 'node:crypto';
import type { CheckAnswer, DetectType } from '@karaar/contracts/vision/http';
import type { Principal } from '@karaar/platform/auth';
import type { BlobStore } from '@karaar/platform/blobs';
import type { Bus, Outbox } from '@karaar/platform/bus';
import type { Directory } from '@karaar/platform/directory';
import type { Logger } from '@karaar/platform/logging';
import type { SmsSender } from '@karaar/platform/sms';
import type { NoteKey } from '@karaar/proof/log/note';
import type { Certificate } from '@karaar/proof/seal/certificate';
import type { Config } from './config.ts';
import type { Db } from './db/schema.ts';
import type { Renderer } from '@karaar/rendering';
import type { Sealer } from '@karaar/sealing';

export type PhotoCheck = (file: { path: string; mime: string }, detect: DetectType) => Promise<CheckAnswer>;

/** Runs the work when a place is free. Throws 503 `verify_busy` when the wait takes too long. */
export type VerifyLimit = <T>(work: () => Promise<T>) => Promise<T>;

export type GrantKey = { kid: string; privateKey: KeyObject; /** The public key, base64url. */ x: string };

/** Signs a stored path for one viewer. */
export type SignPath = (path: string, filename?: string) => string;

export type LogIdentity = {
  key: NoteKey;
  /** Ed25519 over a checkpoint's body. */
  sign: (message: Uint8Array) => Uint8Array;
  /** A key of 32 bytes for one other purpose that must stay the same forever, as the log's own key does. */
  secretFor: (purpose: string) => Buffer;
};

/** A witness of the C2SP tlog-witness protocol: its keys and the address before `/add-checkpoint`. */
export type Witness = {
  /** Ed25519. */
  key: NoteKey;
  /** ML-DSA-44, of a witness that signs with both; then its answer counts only with both signatures. */
  mlDsaKey?: NoteKey;
  url: string;
};

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
  verifyLimit: VerifyLimit;
  /** The key by which this process signs grants of confirmed acts. */
  grantKey: GrantKey;
  /** Signs stored paths for one viewer in one session. */
  signFor: (viewer: Pick<Principal, 'userId' | 'sessionId'>) => SignPath;
  /** The finalization worker of this process. */
  finalization: { wake: () => void };
  /** The transparency log: its identity, who cosigns it, and its worker in this process. */
  log: {
    identity: LogIdentity;
    witnesses: readonly Witness[];
    /** How many of them have to cosign. */
    quorum: number;
    wake: () => void;
  };
  /** The worker that checks files sent before their form. */
  uploads: { wake: () => void };
  /** The worker that sends text messages. */
  textMessages: { wake: () => void };
  /** The worker that sends invitations to phone numbers and e-mail addresses. */
  invitations: { wake: () => void };
};
