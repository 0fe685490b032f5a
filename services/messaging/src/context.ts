import type { BlobStore } from '@karaar/storage/blobs';
import type { Directory } from '@karaar/bus/directory';
import type { Foundation } from '@karaar/service';
import type { Config } from './config.ts';
import type { Database } from './db/schema.ts';
import type { Live } from './features/live/live.service.ts';
import type { BatchedStatements } from './batched-statements.ts';

export type Context = Foundation<Database> & {
  config: Config;
  directory: Directory;
  blobs: BlobStore;
  live: Live;
  batched: BatchedStatements;
};
