/** How a government ID number is shown. An Aadhaar number is never shown whole, also not to its owner. */

const HIDDEN = 'XXXX XXXX';

/** `1234 5678 9012` → `XXXX XXXX 9012` for an Aadhaar; any other number as it is. */
export const shownIdNumber = (type: string | null, number: string): string =>
  type === 'Aadhar' ? `${HIDDEN} ${number.replaceAll(/\s/g, '').slice(-4)}` : number;

/** Whether a form sends back the masked number. */
export const isShownIdNumber = (text: string): boolean => text.startsWith(HIDDEN);
