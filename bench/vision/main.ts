import { resolve } from 'node:path';
import { runParts } from '../lib/parts.ts';
import { measureAccuracy } from './accuracy.ts';
import { measureSpeed } from './speed.ts';

const [folder] = process.argv.slice(2);
// npm runs scripts in the project's folder, and names the caller's folder in INIT_CWD.
const here = process.env['INIT_CWD'] ?? process.cwd();
if (folder === undefined) await runParts('vision', { speed: measureSpeed });
else await runParts('vision', { accuracy: () => measureAccuracy(resolve(here, folder)) }, ['accuracy']);
