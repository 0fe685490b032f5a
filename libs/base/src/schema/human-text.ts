/**
 * Texts that people read: names, places, reasons, messages. A text is non-empty only if it is visible;
 * invisible characters are rejected by name, so that two different names never look the same.
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

const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\p{Co}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffc\u{13430}-\u{13440}]/gu;
/** Virama signs, which suppress a letter's vowel: a joiner after one selects the letter's shape. */
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
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\ufe0f?\u200d(?=\p{Extended_Pictographic})|[\ufe0e\ufe0f])|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\u{1f3f4})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;
/** More marks on one letter than any language writes: they would cover the lines around it. */
const PILED = /[\p{M}&&\p{Script=Inherited}]{4,}|\p{M}{9,}/v;

const codeOf = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function faultOf(text: string): string | undefined {
  const hidden = text.replaceAll(JOINERS, '').replaceAll(IN_EMOJI, '').match(HIDDEN)?.[0];
  if (hidden === undefined)
    return PILED.test(text) ? 'has too many marks above or below a letter: delete them' : undefined;
  const name = NAMED[hidden];
  return `contains a character that shows nothing (${codeOf(hidden)}${name ? `, ${name}` : ''}): delete it`;
}

const KEPT_OR_HIDDEN = new RegExp(`(${JOINERS.source}|${IN_EMOJI.source})|${HIDDEN.source}`, 'gu');

/** Returns a text without invisible characters, for names that a program chose, such as those of files. */
export const visiblePart = (text: string): string => text.replaceAll(KEPT_OR_HIDDEN, '$1');

/** Returns true if a text has no visible letter, digit or sign, only marks, spaces and hidden characters. */
export const isBlank = (text: string): boolean =>
  !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(HIDDEN, ''));

function read(loc: string, text: string): string {
  const fault = faultOf(text);
  if (fault) throw invalid([{ loc, msg: fault }]);
  return isBlank(text) ? '' : text;
}

/** Returns a normalised text of one line; empty if it is blank. Throws 422 that names a hidden character. */
export const readLine = (loc: string, typed: string): string => read(loc, oneLine(typed));

/** Returns a normalised text with its lines kept. Throws as `readLine`. */
export const readLines = (loc: string, typed: string): string => read(loc, plainText(typed));

/** Scripts with look-alike letters; a name must use only one of them. */
const LOOK_ALIKE = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'];
/** Japanese, Chinese and Korean use several scripts at once. */
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

function stranger(text: string, scripts: readonly string[] | undefined): string | undefined {
  const letters = [...text].filter((sign) => /\p{L}/u.test(sign) && !/\p{Script=Common}/u.test(sign));
  const counted = scripts ? letters.filter((letter) => scripts.includes(scriptOf(letter))) : letters;
  const [first] = counted;
  return first && counted.find((letter) => scriptOf(letter) !== scriptOf(first));
}

/**
 * Returns a normalised person's name; empty if it is blank. Throws 422 that names an invisible character, or
 * a look-alike letter of another script.
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
  if (/(?<!\S)\p{M}/u.test(name)) throw invalid([{ loc, msg: 'has a mark without a letter' }]);
  if (name !== '' && !/\p{L}/u.test(name)) throw invalid([{ loc, msg: 'has no letter' }]);
  return name;
}
