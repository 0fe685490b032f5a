import type { Printer } from '@karaar/http/print';
import type { Foundation } from '@karaar/service';
import type { Config } from './config.ts';
import type { Database } from './db/schema.ts';
import type { Moved, Transfer } from './features/ledger/ledger.repository.ts';
import type { CardProvider } from './features/provider/card-provider.ts';

export type Context = Foundation<Database> & {
  config: Config;
  provider: CardProvider;
  print: Printer;
  /**
   * Moves money from a user's wallet into revenue. Throws 402 if the balance is too small, 409 on a reused
   * key.
   */
  debit: (transfer: Transfer) => Promise<Moved>;
};
