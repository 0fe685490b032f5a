/** What the features need, named once. Tests override single parts. */
import type { Principal } from '@karaar/platform/auth';
import type { BlobStore } from '@karaar/platform/blobs';
import type { Bus, Outbox } from '@karaar/platform/bus';
import type { Directory } from '@karaar/platform/directory';
import type { Logger } from '@karaar/platform/logging';
import type { SmsSender } from '@karaar/platform/sms';
import type { Certificate } from '@karaar/proof/certificate';
import type { Config } from './config.ts';
import type { Db } from './db/schema.ts';
import type { SignPath } from './features/agreements/agreements.presenter.ts';
import type { LogIdentity, Witness } from './features/log/log-identity.ts';
import type { PhotoCheck } from './features/verification/photo-check.ts';
import type { Turns } from './features/verify/turns.ts';
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
  /** Roots of the timestamp authorities that verification believes. */
  timestampRoots: readonly Certificate[];
  /** Who has a file verified, a few at a time. */
  verifyTurns: Turns;
  /** Signs stored paths for one viewer in one session. */
  signFor: (viewer: Pick<Principal, 'userId' | 'sessionId'>) => SignPath;
  /** The finalization worker of this process. */
  finalization: { poke: () => void };
  /** The transparency log: its identity, who cosigns it, and its worker in this process. */
  log: { identity: LogIdentity; witnesses: readonly Witness[]; poke: () => void };
  /** The one that checks files sent before their form. */
  uploads: { poke: () => void };
  /** The one that makes the pages of files uploaded before pages were made at once. */
  previews: { poke: () => void };
  /** The one that sends text messages. */
  notices: { poke: () => void };
};
