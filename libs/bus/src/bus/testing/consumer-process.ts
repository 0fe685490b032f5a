/** A consumer process for tests to kill: `node consumer-process.ts <database> <broker>`. */
import { createDb } from '@karaar/db';
import { connectBus } from '../index.ts';
import { added, logger, note } from './fixture.ts';

const [url = '', natsUrl = ''] = process.argv.slice(2);
const db = createDb<unknown>({ url, applicationName: 'consumer-process' });
const bus = await connectBus({ url: natsUrl, name: 'ledger', logger });
await bus.consume({
  db,
  event: added,
  handlerName: 'notes',
  handle: (event, tx) => note(tx, 'notes', event.data.n),
  concurrency: 2,
  ackWaitMs: 1_000,
});
process.stdout.write('started\n');
