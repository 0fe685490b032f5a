/** A relay process for tests to kill: `node relay-process.ts <database> <broker>`. */
import { createDb } from '@karaar/db';
import { connectBus, createOutbox } from '../index.ts';
import { logger } from './fixture.ts';

const [url = '', natsUrl = ''] = process.argv.slice(2);
const db = createDb<unknown>({ url, applicationName: 'relay-process' });
const bus = await connectBus({ url: natsUrl, name: 'ledger', logger });
createOutbox(db, bus, { logger, pollMs: 100 }).start();
process.stdout.write('started\n');
