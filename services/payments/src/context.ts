import type { Printer } from '@karaar/http/print';
import type { Ask } from '@karaar/service/internal-rpc';
import type { Foundation } from '@karaar/service';
import type { Config } from './config.ts';
import type { Database } from './db/schema.ts';
import type { BatchedSteps } from './features/charges/batched-steps.ts';

export type Context = Foundation<Database> & {
  config: Config;
  askDocuments: Ask;
  askWallet: Ask;
  print: Printer;
  steps: BatchedSteps;
};
