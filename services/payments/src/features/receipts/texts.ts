/** The texts of receipts in six languages. `npm run texts` lists those that are missing. */
import type { Language } from '@karaar/contracts/limits';
import { createSay } from '@karaar/base/texts';
import bn from './texts/bn.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import hi from './texts/hi.json' with { type: 'json' };
import mr from './texts/mr.json' with { type: 'json' };
import ta from './texts/ta.json' with { type: 'json' };
import te from './texts/te.json' with { type: 'json' };

export type Key = keyof typeof en;

const TEXTS: Record<Language, Record<Key, string>> = { en, hi, ta, bn, mr, te };

export const say = createSay<Key>(TEXTS);
