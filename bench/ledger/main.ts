import { runParts } from '../lib/parts.ts';
import { measureProof } from './proof.ts';
import { measureTransfers } from './transfers.ts';

await runParts('ledger', { transfers: measureTransfers, proof: measureProof });
