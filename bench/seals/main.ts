import { runParts } from '../lib/parts.ts';
import { measureNotices } from './notices.ts';
import { measureRate } from './rate.ts';
import { measureSizes } from './sizes.ts';

await runParts('seals', { notices: measureNotices, rate: measureRate, sizes: measureSizes });
