import { runParts } from '../lib/parts.ts';
import { isSmoke } from '../lib/smoke.ts';
import { measureFidelity } from './fidelity.ts';
import { measureFinalize } from './finalize.ts';
import { measureSeal } from './seal.ts';

const [part, folder] = process.argv.slice(2);
const isFidelity = part === 'fidelity';
const parts = { seal: measureSeal, finalize: measureFinalize };
const fidelity = () => measureFidelity(folder);
await runParts(
  'pdf',
  isSmoke || isFidelity ? { ...parts, fidelity } : parts,
  process.argv.slice(2, isFidelity ? 3 : undefined),
);
