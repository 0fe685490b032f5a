/** The rules of a government ID image (spec §5 Register), and the names of the kinds. */
import { ID_IMAGE_LIMIT, type GOVT_ID_TYPES } from '@karaar/contracts/limits';

/** Returns the fault of a government ID image, or null. A browser gives a kind that it does not know no type. */
export function idImageFault(
  file: Pick<File, 'type' | 'size'>,
): 'notAnImage' | 'emptyImage' | 'tooLarge' | null {
  if (file.type !== '' && !file.type.startsWith('image/')) return 'notAnImage';
  if (file.size === 0) return 'emptyImage';
  return file.size >= ID_IMAGE_LIMIT ? 'tooLarge' : null;
}

/** Returns the fault of an image that the browser cannot show: some kinds, such as HEIC, few browsers can. */
export const unshownFault = ({ type }: Pick<File, 'type'>): 'notAnImage' | 'unreadImage' =>
  /^image\/(png|jpeg|webp|gif|bmp|avif)$/.test(type) ? 'notAnImage' : 'unreadImage';

const idTypeTexts = {
  Aadhar: 'idTypeAadhar',
  PAN: 'idTypePan',
  Passport: 'idTypePassport',
  'Driving License': 'idTypeDriving',
  'Voter ID': 'idTypeVoter',
  Other: 'idTypeOther',
} as const satisfies Record<(typeof GOVT_ID_TYPES)[number], string>;

type IdType = keyof typeof idTypeTexts;

/** Returns true if a text is a kind of government ID. */
export const isIdType = (value: string): value is IdType => Object.hasOwn(idTypeTexts, value);

/** Returns the text key of a kind of ID; requests carry the kind itself. */
export const idTypeText = (kind: IdType): (typeof idTypeTexts)[IdType] => idTypeTexts[kind];
