/** Parses typed amounts in rupees. Pure; apart from read.ts, because few screens need it. */
import { readPlain } from './read.ts';

const WHOLE = /^[0-9]+$/;
/** 1,00,000 and 100,000; the last group has three digits, so that 1,50 is not read as 150. */
const GROUPED = /^[0-9]{1,3}(?:[, ][0-9]{2,3})*[, ][0-9]{3}$/;
/** Names and signs of the rupee in the product's languages, Gujarati and Urdu. */
const RUPEE = '(?:₹|৳|rs|re|inr|rupees?|रु|रू|रुपये|रुपए|रूपये|টাকা|ரூ|ரூபாய்|రూ|రూపాయలు|રૂ|રૂપિયા|روپے)';
const BEFORE = new RegExp(`^${RUPEE}[ .:]*`, 'iu');
const AFTER = new RegExp(` ?${RUPEE}\\.?$`, 'iu');

/**
 * Returns rupees as a plain decimal with at most two places, from `₹1,00,000.50`, `Rs. 500`, `500/-`,
 * `500 only` or `५०० रुपये`; otherwise undefined. A number in words, such as `1 lakh`, is not read.
 */
export function readAmount(text: string): string | undefined {
  const plain = readPlain(text)
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(BEFORE, '')
    .replace(/ ?(?:only|मात्र)\.?$/iu, '')
    .replace(/ ?\/[-=]\.?$/, '')
    .replace(AFTER, '');
  const [, rupees = '', paise = ''] = /^([0-9, ]*)(\.[0-9]{1,2})?\.?$/.exec(plain) ?? [];
  if (rupees === '') return paise === '' ? undefined : `0${paise}`;
  if (!WHOLE.test(rupees) && !GROUPED.test(rupees)) return undefined;
  return rupees.replaceAll(/[, ]/g, '').replace(/^0+(?=[0-9])/, '') + paise;
}
