/** What a check's finding is called. */
import type { Verification } from '@karaar/contracts/documents/verify';

export type Check = Verification['checks'][number];

/** Keys of the texts for one check: its name and its finding. */
export const wordsOf = ({ name, ok }: Check) =>
  ({ title: name, finding: ok ? (`${name}Ok` as const) : (`${name}Bad` as const) }) as const;

/** The document code in an address or a field: 8 characters of the alphabet of codes, in capitals. */
export const codeCharacters = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^0-9A-HJKMNP-TV-Z]/g, '')
    .slice(0, 8);
