/** What the sign-in and registration forms accept (spec §5). */
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

/** The number as the calls carry it. */
export const withPrefix = (digits: string): string => `+91${digits}`;

/**
 * What is wrong in a registration, by field, as keys of texts: those of this feature, but for the number of an ID.
 * @param given what the form itself knows: whether the e-mail is an address, and whether there is an ID image
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

/** Whether a key is one of this feature's texts; else it is one that the screens share. */
export const isOwnText = (key: OwnText | IdNumberFault): key is OwnText =>
  !key.endsWith('Wrong') || key === 'emailWrong';
