/**
 * Fonts that give the codes of Latin letters other shapes, by their names. Another font in their place shows other letters.
 */

/** Symbols; not Symbol and ZapfDingbats, which every viewer of PDFs has. */
const SYMBOLS = /(?<![A-Za-z])(wingdings|webdings|marlett)/i;

/** Those in which Indian offices wrote before Unicode, and many still do. */
const INDIAN =
  /(?<![A-Za-z])(kruti|devlys|shusha|susha(?![a-z])|preeti(?![a-z])|kantipur|sutonny|satluj|gurmukhilys|ramdhenu|shree-?(dev|guj|pud|tam|tel|kan|mal|ban|ori)|shivaji|chanakya|walkman|akruti|aps-?dv|dvb-?(tt|w)|dv-?tt|isfoc|sulekha|bamini|vanavil|tsc(u|ii)?(?![a-z])|nudi|baraha|gopika|terafont|hari-?krishna|lmg-?(arun|laxmi)|anmollipi|gurbanilipi|asees|suchi-?dev|4c ?gandhi)/i;

export const isSymbols = (font: string): boolean => SYMBOLS.test(font);

export const isIndianBeforeUnicode = (font: string): boolean => INDIAN.test(font);
