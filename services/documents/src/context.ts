/** The dependencies of all features. Tests replace some of them. */
import type { KeyObject } from 'node:crypto';
import type { CheckAnswer, DetectType } from '@karaar/contracts/vision/http';
import type { Principal } from '@karaar/http/auth';
import type { BlobStore } from '@karaar/storage/blobs';
import type { Bus, Outbox } from '@karaar/bus';
import type { Directory } from '@karaar/bus/directory';
import type { Logger } from '@karaar/observability/logging';
import type { SmsSender } from '@karaar/sms';
import type { NoteKey } from '@karaar/proof/log/note';
import type { Certificate } from '@karaar/proof/seal/certificate';
import type { Config } from './config.ts';
import type { Db } from './db/schema.ts';
import type { JobLook } from './features/finalization/job-look.ts';
import type { Renderer } from '@karaar/rendering';
import type { Sealer } from '@karaar/sealing';

export type PhotoCheck = (file: { path: string; mime: string }, detect: DetectType) => Promise<CheckAnswer>;

/** Runs the work when a place is free. Throws 503 `verify_busy` if the wait is too long. */
export type VerifyLimit = <T>(work: () => Promise<T>) => Promise<T>;

export type GrantKey = { kid: string; privateKey: KeyObject; /** The public key, base64url. */ x: string };

export type SignPath = (path: string, filename?: string) => string;

export type LogIdentity = {
  key: NoteKey;
  /** Returns the Ed25519 signature of a checkpoint's body. */
  sign: (message: Uint8Array) => Uint8Array;
  /** Returns a key of 32 bytes for another purpose; as permanent as the log's own key. */
  secretFor: (purpose: string) => Buffer;
};

/** A witness of the C2SP tlog-witness protocol: its keys and the address before `/add-checkpoint`. */
export type Witness = {
  /** Ed25519. */
  key: NoteKey;
  /** The ML-DSA-44 key of a witness that has one; its answers then need both signatures. */
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
  /** The key for hashes of contacts that stopped invitations, and for the tokens of their stop links. */
  contactsKey: Buffer;
  timestampRoots: readonly Certificate[];
  verifyLimit: VerifyLimit;
  /** This process signs grants for confirmed acts with this key. */
  grantKey: GrantKey;
  signFor: (viewer: Pick<Principal, 'userId' | 'sessionId'>) => SignPath;
  finalization: { wake: () => void; look: JobLook };
  log: {
    identity: LogIdentity;
    witnesses: readonly Witness[];
    quorum: number;
    wake: () => void;
  };
  /** The worker that checks early uploads. */
  uploads: { wake: () => void };
  textMessages: { wake: () => void };
  invitations: { wake: () => void };
};
