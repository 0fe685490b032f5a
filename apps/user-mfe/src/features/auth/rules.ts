/** The rules of the sign-in and registration forms (spec §5). */
import type { GOVT_ID_TYPES } from '@karaar/contracts/limits';
import type { KeyOf } from '@karaar/i18n';
import { idNumberFault, type IdNumberFault } from '../../shared/identity/id-number.ts';
import type en from './texts/en.json';

export type GovtIdType = (typeof GOVT_ID_TYPES)[number];
export type Fields = Record<'name' | 'email' | 'phone_no' | 'city' | 'state' | 'govt_id_number', string> & {
  govt_id_type: GovtIdType | '';
};
type OwnText = KeyOf<typeof en>;

export const isWholePhone = (digits: string): boolean => /^\d{10}$/.test(digits);

/** Returns the number as requests carry it. */
export const withPrefix = (digits: string): string => `+91${digits}`;

/**
 * Returns the faults of a registration by field, as text keys of this feature, except for the number of an
 * ID.
 * @param given results of the form: whether the e-mail is valid, and whether there is an ID image
 */
export function registerFaults(
  fields: Fields,
  given: { email: boolean; image: boolean },
): Partial<Record<keyof Fields | 'image', OwnText | IdNumberFault>> {
  const { govt_id_type, govt_id_number } = fields;
  const blank = (name: keyof Fields) => fields[name].trim() === '';
  const number = govt_id_type && idNumberFault(govt_id_type, govt_id_number);
  return {
    ...(blank('name') ? { name: 'nameMissing' } : {}),
    ...(blank('email') || !given.email ? { email: 'emailWrong' } : {}),
    ...(isWholePhone(fields.phone_no) ? {} : { phone_no: 'badPhone' }),
    ...(blank('city') ? { city: 'cityMissing' } : {}),
    ...(blank('state') ? { state: 'stateMissing' } : {}),
    ...(govt_id_type ? {} : { govt_id_type: 'chooseIdType' }),
    ...(blank('govt_id_number') ? { govt_id_number: 'idNumberMissing' } : {}),
    ...(!blank('govt_id_number') && number ? { govt_id_number: number } : {}),
    ...(given.image ? {} : { image: 'imageMissing' }),
  };
}

/** Returns true if a key is a text of this feature, and not a shared text. */
export const isOwnText = (key: OwnText | IdNumberFault): key is OwnText =>
  !key.endsWith('Wrong') || key === 'emailWrong';
