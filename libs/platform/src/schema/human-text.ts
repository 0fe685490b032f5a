/**
 * Texts that people read: names, places, reasons, messages. Not empty means that something shows; a character that shows nothing
 * is refused with its name, so that no two names look alike and differ.
 */
import { invalid } from '../errors/index.ts';
import { oneLine, plainText } from './texts.ts';

const NAMED: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u034f': 'grapheme joiner',
  '\u115f': 'Hangul filler',
  '\u1160': 'Hangul filler',
  '\u200b': 'zero-width space',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u2060': 'word joiner',
  '\u2800': 'blank Braille pattern',
  '\u3164': 'Hangul filler',
  '\uffa0': 'Hangul filler',
};

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Co}\u2800\ufff9-\ufffc]/gu;
/** The signs after which a letter has no vowel: a joiner behind one chooses the shape. */
const VIRAMA = '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca';
const SCRIPTS_WITH_JOINERS = [
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Arabic', 'Ol_Chiki', 'Meetei_Mayek'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const JOINERS = new RegExp(
  `(?<=[${VIRAMA}])[\\u200c\\u200d]|(?<=[${SCRIPTS_WITH_JOINERS}])[\\u200c\\u200d](?=[${SCRIPTS_WITH_JOINERS}])`,
  'gu',
);
const IN_EMOJI =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\ufe0f?\u200d(?=\p{Extended_Pictographic})|\ufe0f)|(?<=[0-9#*])\ufe0f(?=\u20e3)/gu;

const codeOf = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The fault of a text, in words for the person who typed it; undefined without one. */
function faultOf(text: string): string | undefined {
  const hidden = text.replaceAll(JOINERS, '').replaceAll(IN_EMOJI, '').match(HIDDEN)?.[0];
  if (hidden === undefined) return undefined;
  const name = NAMED[hidden];
  return `contains a character that shows nothing (${codeOf(hidden)}${name ? `, ${name}` : ''}): delete it`;
}

/** Whether a reader sees nothing: no letter, digit or sign, only marks, spaces and hidden characters. */
export const isBlank = (text: string): boolean =>
  !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(HIDDEN, ''));

function read(loc: string, text: string): string {
  const fault = faultOf(text);
  if (fault) throw invalid([{ loc, msg: fault }]);
  return isBlank(text) ? '' : text;
}

/** A text of one line as it is kept; empty when it shows nothing but spaces. Throws 422 that names a hidden character. */
export const readLine = (loc: string, typed: string): string => read(loc, oneLine(typed));

/** The same with its lines. */
export const readLines = (loc: string, typed: string): string => read(loc, plainText(typed));

/** Scripts whose letters look like each other's; a name is written in one of them. */
const LOOK_ALIKE = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'];
/** Japanese, Chinese and Korean are written in several scripts at once. */
const TOGETHER = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'];
const OTHERS = [
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Arabic', 'Hebrew', 'Thai', 'Georgian', 'Ethiopic', 'Tibetan', 'Ol_Chiki', 'Meetei_Mayek'],
];
const SCRIPTS = [
  ...[...LOOK_ALIKE, ...OTHERS].map((name) => ({ name, of: new RegExp(`^\\p{Script=${name}}`, 'u') })),
  { name: 'East Asian', of: new RegExp(`^[${TOGETHER.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u') },
];
const scriptOf = (letter: string): string => SCRIPTS.find(({ of }) => of.test(letter))?.name ?? 'another';

/** The first letter of another script than those before it, in a text. */
function stranger(text: string, scripts: readonly string[] | undefined): string | undefined {
  const letters = [...text].filter((sign) => /\p{L}/u.test(sign) && !/\p{Script=Common}/u.test(sign));
  const counted = scripts ? letters.filter((letter) => scripts.includes(scriptOf(letter))) : letters;
  const [first] = counted;
  return first && counted.find((letter) => scriptOf(letter) !== scriptOf(first));
}

/**
 * A person's name as it is kept; empty when it shows nothing. Throws 422 that says which character shows nothing, or looks like
 * one of another script in the same name.
 */
export function readName(loc: string, typed: string): string {
  const name = readLine(loc, typed);
  const mixed =
    name
      .split(/[\s\p{P}]+/u)
      .map((word) => stranger(word, undefined))
      .find((letter) => letter !== undefined) ?? stranger(name, LOOK_ALIKE);
  if (mixed)
    throw invalid([
      {
        loc,
        msg: `mixes scripts: “${mixed}” (${codeOf(mixed)}) is a letter of another script than the rest`,
      },
    ]);
  const styled = [...name].find(
    (sign) =>
      /\p{L}/u.test(sign) && sign.normalize('NFKC') !== sign && /^[a-z]+$/i.test(sign.normalize('NFKC')),
  );
  if (styled)
    throw invalid([
      { loc, msg: `“${styled}” (${codeOf(styled)}) looks like another letter: type the plain one` },
    ]);
  if (name !== '' && !/\p{L}/u.test(name)) throw invalid([{ loc, msg: 'has no letter' }]);
  return name;
}
