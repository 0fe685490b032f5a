import type { Check } from './check.ts';
import { dependencies } from './dependencies.ts';
import { fuzzing, type FuzzOptions } from './fuzz.ts';
import { headerRules } from './headers.ts';
import { rendering } from './rendering.ts';
import { secrets } from './secrets.ts';
import { uploads } from './uploads.ts';

/** All checks of the run, the quick ones first. */
export const checksOf = (options: FuzzOptions): Check[] => [
  secrets,
  dependencies,
  headerRules,
  uploads,
  rendering,
  fuzzing(options),
];
