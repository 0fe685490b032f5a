/**
 * A process that extends the log and hangs where the checkpoint is to be signed, entries and tiles being
 * written: for the test that kills it there. Arguments: database URL, state folder.
 */
import { openLogIdentity } from '../log-identity.ts';
import { sequence } from '../sequence.ts';
import { openDatabase } from './log-database.ts';

const [url = '', stateDir = '', mode = 'hang'] = process.argv.slice(2);
const identity = openLogIdentity({ origin: 'karaar.test/log', secret: undefined, stateDir });
const db = openDatabase(url);
if (mode === 'hang') {
  await sequence(db, {
    ...identity,
    sign: () => {
      process.stdout.write('signing\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
      throw new Error('was to be killed');
    },
  });
} else {
  process.stdout.write('signing\n');
  for (;;) await sequence(db, identity);
}
