/**
 * A process for tests that kill it. `hang` blocks when the checkpoint is signed, after entries and tiles are
 * written; `run` extends the log repeatedly. Arguments: database URL, state folder, mode.
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
      throw new Error('the test did not kill this process');
    },
  });
} else {
  process.stdout.write('signing\n');
  for (;;) await sequence(db, identity);
}
