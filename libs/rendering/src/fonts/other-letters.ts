/**
 * The names of fonts that draw other shapes at the codes of Latin letters. A substitute font shows wrong
 * letters.
 */

/** Symbol fonts, except Symbol and ZapfDingbats, which every PDF viewer has. */
const SYMBOLS = /(?<![A-Za-z])(wingdings|webdings|marlett)/i;

/**
 * Prefixes of the fonts that Indian offices used before Unicode. A hyphen also matches a blank or nothing.
 */
export const INDIAN_FAMILIES = [
  ...[
    'Kruti',
    'DevLys',
    'Shusha',
    'Susha',
    'Preeti',
    'Kantipur',
    'Sutonny',
    'Satluj',
    'GurmukhiLys',
    'Ramdhenu',
  ],
  ...['Dev', 'Guj', 'Pud', 'Tam', 'Tel', 'Kan', 'Mal', 'Ban', 'Ori'].map((script) => `Shree-${script}`),
  ...[
    'Shivaji',
    'Chanakya',
    'Walkman',
    'Akruti',
    'APS-DV',
    'DVB-TT',
    'DVB-W',
    'DV-TT',
    'ISFOC',
    'Sulekha',
    'Bamini',
  ],
  ...['Vanavil', 'TSCu', 'TSCii', 'TSC_', 'Nudi', 'Baraha', 'Gopika', 'Terafont', 'Hari-Krishna', 'LMG-Arun'],
  ...['LMG-Laxmi', 'Anmol-lipi', 'Gurbanilipi', 'Asees', 'Suchi-Dev', '4C-Gandhi'],
  ...['SunTommy', 'Shree7', 'Shree_Dev', 'APS-C-DV', 'SD-TT', 'ML-TT', 'MLW-TT', 'MLKV', 'FML-TT'],
  ...['BRH-Kannada', 'BRH-Devanagari', 'Himalb', 'PCS-Nepali', 'Sagarmatha', 'Xdvng', 'Sanskrit-99'],
  ...['KF-Kiran', 'Thoolika', 'GeetanjaliLight', 'Saral-Gujarati', 'GurbaniAkhar', 'DRChatrik', 'WebAkhar'],
  ...['Bijoy', 'Boishakhi', 'Tam-Shakti', 'TAM_', 'Senthamil', 'Marathi-Lekhani'],
];
const INDIAN = new RegExp(
  `(?<![A-Za-z])(${INDIAN_FAMILIES.map((name) => name.replace('-', '[- ]?')).join('|')})`,
  'i',
);

/** The prefix of the name of a stand-in; the name of the replaced font follows. */
export const STANDS_IN = 'KaraarStandsInFor';

/** Returns true for the BaseFont of a symbol font, with or without a subset prefix. */
export const isSymbols = (font: string): boolean => SYMBOLS.test(font);

/**
 * Returns true if the BaseFont has one of `INDIAN_FAMILIES` in any case, at its start or not after a letter.
 */
export const isIndianBeforeUnicode = (font: string): boolean => INDIAN.test(font);
