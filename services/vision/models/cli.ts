/** `npm run models`: converts the models into MODELS_DIR if they are missing or outdated. */
import { DEFAULT_MODELS_DIR } from '../src/models/files.ts';
import { ensureModels } from './build.ts';

const folder = process.env['MODELS_DIR'] ?? DEFAULT_MODELS_DIR;
const { paths, converted } = await ensureModels(folder);
const names = Object.keys(paths).join(', ');
process.stdout.write(`${converted ? 'Converted' : 'Ready'}: ${names} in ${folder}\n`);
