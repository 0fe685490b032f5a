/** How a government ID number is shown. An Aadhaar number is never shown in full, not even to its owner. */

const HIDDEN = 'XXXX XXXX';

/** Masks an Aadhaar number (`1234 5678 9012` → `XXXX XXXX 9012`); returns any other number unchanged. */
export const shownIdNumber = (type: string | null, number: string): string =>
  type === 'Aadhar' ? `${HIDDEN} ${number.replaceAll(/\s/g, '').slice(-4)}` : number;

export const isShownIdNumber = (text: string): boolean => text.startsWith(HIDDEN);
