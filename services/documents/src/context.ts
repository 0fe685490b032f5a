/** The dependencies of all features. Tests replace some of them. */
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

/** Runs the work when a place is free. Throws 503 `verify_busy` after a too long wait. */
export type VerifyLimit = <T>(work: () => Promise<T>) => Promise<T>;

export type GrantKey = { kid: string; privateKey: KeyObject; /** The public key, base64url. */ x: string };

/** Signs a stored path for one viewer. */
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
  /** Roots of the timestamp authorities that verification trusts. */
  timestampRoots: readonly Certificate[];
  /** Limits how many files are verified at the same time. */
  verifyLimit: VerifyLimit;
  /** This process signs grants for confirmed acts with this key. */
  grantKey: GrantKey;
  /** Signs stored paths for one viewer in one session. */
  signFor: (viewer: Pick<Principal, 'userId' | 'sessionId'>) => SignPath;
  finalization: { wake: () => void };
  /** The transparency log: its identity, its witnesses, and its worker in this process. */
  log: {
    identity: LogIdentity;
    witnesses: readonly Witness[];
    /** How many witnesses must cosign a checkpoint. */
    quorum: number;
    wake: () => void;
  };
  /** The worker that checks early uploads. */
  uploads: { wake: () => void };
  textMessages: { wake: () => void };
  /** The worker that sends invitations to phone numbers and e-mail addresses. */
  invitations: { wake: () => void };
};
