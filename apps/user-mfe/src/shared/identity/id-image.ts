/** What a government ID image may be (spec §5 Register), and how its kinds are named. */
import { ID_IMAGE_LIMIT, type GOVT_ID_TYPES } from '@karaar/contracts/limits';

/** What is wrong with a file chosen as government ID image, or null. */
export function idImageFault(file: Pick<File, 'type' | 'size'>): 'notAnImage' | 'tooLarge' | null {
  if (!file.type.startsWith('image/')) return 'notAnImage';
  return file.size >= ID_IMAGE_LIMIT ? 'tooLarge' : null;
}

const idTypeTexts = {
  Aadhar: 'idTypeAadhar',
  PAN: 'idTypePan',
  Passport: 'idTypePassport',
  'Driving License': 'idTypeDriving',
  'Voter ID': 'idTypeVoter',
  Other: 'idTypeOther',
} as const satisfies Record<(typeof GOVT_ID_TYPES)[number], string>;

type IdType = keyof typeof idTypeTexts;

/** Whether a text is one of the kinds of government ID. */
export const isIdType = (value: string): value is IdType => Object.hasOwn(idTypeTexts, value);

/** The text that names a kind of ID; the calls carry the kind itself. */
export const idTypeText = (kind: IdType): (typeof idTypeTexts)[IdType] => idTypeTexts[kind];
