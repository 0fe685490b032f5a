/**
 * Fonts that give the codes of Latin letters other shapes, by their names. Another font in their place shows other letters.
 */

/** Symbols; not Symbol and ZapfDingbats, which every viewer of PDFs has. */
const SYMBOLS = /(?<![A-Za-z])(wingdings|webdings|marlett)/i;

/**
 * How the names of those begin in which Indian offices wrote before Unicode, and many still do; for a hyphen there may be a
 * blank or nothing.
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
  ...['LMG-Laxmi', 'Anmollipi', 'Gurbanilipi', 'Asees', 'Suchi-Dev', '4C-Gandhi'],
];
const INDIAN = new RegExp(
  `(?<![A-Za-z])(${INDIAN_FAMILIES.map((name) => name.replace('-', '[- ]?')).join('|')})`,
  'i',
);

/** The name of a font that stands in for one of these begins so, and ends with the name of that one. */
export const STANDS_IN = 'KaraarStandsInFor';

export const isSymbols = (font: string): boolean => SYMBOLS.test(font);

export const isIndianBeforeUnicode = (font: string): boolean => INDIAN.test(font);
