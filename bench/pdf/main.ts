/**
 * PDFs: `seal` beside the bare library, `finalize` from agreement to sealed file, `convert` of Word files; and
 * `pdf fidelity DIR`: how the files of a folder look after upload and seal.
 */
import { runParts } from '../lib/parts.ts';
import { isSmoke } from '../lib/smoke.ts';
import { measureConvert } from './convert.ts';
import { measureFidelity } from './fidelity.ts';
import { measureFinalize } from './finalize.ts';
import { measureSeal } from './seal.ts';

const [part, folder] = process.argv.slice(2);
const isFidelity = part === 'fidelity';
const whole = { seal: measureSeal, finalize: measureFinalize, convert: measureConvert };
await runParts(
  'pdf',
  isSmoke || isFidelity ? { ...whole, fidelity: () => measureFidelity(folder) } : whole,
  isFidelity ? ['fidelity'] : process.argv.slice(2),
);
