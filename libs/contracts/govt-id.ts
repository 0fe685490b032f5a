/** The formats of government ID numbers, checked by the form before it sends anything, and by the service. */
import type { GOVT_ID_TYPES } from './limits.ts';
import { ungrouped } from './typed/read.ts';

type GovtIdType = (typeof GOVT_ID_TYPES)[number];

const FORMS: Record<Exclude<GovtIdType, 'Other'>, (number: string) => boolean> = {
  // The first digit of an Aadhaar is neither 0 nor 1, and its last one is a check digit.
  Aadhar: (number) => /^[2-9]\d{11}$/.test(number) && verhoeffHolds(number),
  PAN: (number) => /^[A-Z]{5}\d{4}[A-Z]$/.test(number),
  Passport: (number) => /^[A-Z]\d{7}$/.test(number),
  'Voter ID': (number) => /^[A-Z]{3}\d{7}$/.test(number),
  // The state, its office, then year and serial number; before 2019 states had their own formats for the
  // rest.
  'Driving License': (number) => /^[A-Z]{2}\d{1,2}[A-Z0-9]{8,13}$/.test(number),
};

/**
 * Returns true if a number has a valid format for this kind of ID, for an Aadhaar with its check digit. It
 * does not show that the number was issued. For other kinds any text that is not blank is valid.
 */
export function isIdNumber(type: string, number: string): boolean {
  return isFormed(type) ? FORMS[type](ungrouped(number).toUpperCase()) : number.trim() !== '';
}

const isFormed = (type: string): type is keyof typeof FORMS => Object.hasOwn(FORMS, type);

/**
 * The multiplication table of the dihedral group D5, by which Verhoeff's scheme detects each wrong digit and
 * each swapped pair.
 */
const PRODUCT = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
/** The permutation of digits at each position, counted from the last one. */
const PLACES = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** Returns true if Verhoeff's check passes over all digits, the check digit last. */
function verhoeffHolds(digits: string): boolean {
  const end = [...digits].reverse().reduce((check, digit, index) => {
    const placed = Number(PLACES[index % PLACES.length]?.[Number(digit)]);
    return Number(PRODUCT[check]?.[placed]);
  }, 0);
  return end === 0;
}
