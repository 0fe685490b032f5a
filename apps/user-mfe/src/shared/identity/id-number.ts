import { isIdNumber } from '@karaar/contracts/govt-id';
import type { GOVT_ID_TYPES } from '@karaar/contracts/limits';

/** The messages for a number that does not fit its kind of ID: keys of the shared texts. */
const TEXTS = {
  Aadhar: 'idAadharWrong',
  PAN: 'idPanWrong',
  Passport: 'idPassportWrong',
  'Driving License': 'idDrivingWrong',
  'Voter ID': 'idVoterWrong',
} as const;

export type IdNumberFault = (typeof TEXTS)[keyof typeof TEXTS];

/** Returns the fault of an ID number, as a key of the shared texts; undefined for a valid one. */
export function idNumberFault(
  type: (typeof GOVT_ID_TYPES)[number],
  number: string,
): IdNumberFault | undefined {
  return type === 'Other' || isIdNumber(type, number) ? undefined : TEXTS[type];
}
