/**
 * `npm run ledger:check -w services/wallet`: proves the ledger of `DATABASE_URL` from all its rows, prints
 * the result and stores the number of faults for the alarm. Exits 1 on any fault, and if it cannot read the
 * database. It may run while the service is up.
 */
import { backingEnv, loadConfig } from '@karaar/base/config';
import { createDb } from '@karaar/db';
import { Type } from 'typebox';
import type { Database } from './db/schema.ts';
import { checkLedger } from './features/ledger/ledger-check.ts';
import { noteWhole } from './features/ledger/ledger-proofs.repository.ts';

const MINUTES = 60_000;

try {
  const { DATABASE_URL } = loadConfig(Type.Object({ DATABASE_URL: backingEnv.DATABASE_URL }));
  const db = createDb<Database>({
    url: DATABASE_URL,
    max: 1,
    applicationName: 'ledger-check',
    statementTimeoutMs: 30 * MINUTES,
  });
  try {
    const { totalPaise, transfers, wallets, faults } = await checkLedger(db);
    await noteWhole(db, faults.length);
    const lines = [
      `transfers  ${transfers}`,
      `wallets    ${wallets}`,
      `Σ entries  ${totalPaise} paise`,
      `faults     ${faults.length}`,
      ...faults.map(({ what, id }) => `  ${what}: ${id}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await db.destroy();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
