/** The wallet's ledger: `transfers` beside pgbench, and `proof` of 2 million entries. */
import { runParts } from '../lib/parts.ts';
import { measureProof } from './proof.ts';
import { measureTransfers } from './transfers.ts';

await runParts('ledger', { transfers: measureTransfers, proof: measureProof });
