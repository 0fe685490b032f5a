/** What the receipt says, in the reader's language: all six are in the page, since nothing can be fetched later. */
import type { Language } from '@karaar/contracts/limits';
import type { Check } from '@karaar/proof/seal/check-result';
import { ARCHIVE, type PackFault } from '@karaar/proof/pack';
import { TEXTS, type Key } from '../texts.ts';
import type { FoundApproval } from './approvals.ts';

type Values = Record<string, string | number>;

/** Latin digits in every language, as everywhere in Karaar. */
const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`;

/** The first of the reader's languages that Karaar speaks. */
export const firstLanguage = (wanted: readonly string[]): Language =>
  wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(TEXTS, value);

/** A text with its values in place. */
export const say = (language: Language, key: Key, values: Values = {}): string =>
  TEXTS[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Every language under its own name. */
export const languageNames = Object.keys(TEXTS)
  .filter(isLanguage)
  .map((language) => ({ language, name: say(language, 'languageName') }));

/** A moment for people, in the reader's own zone, which it names. @param iso ISO 8601 */
export const moment = (language: Language, iso: string): string =>
  new Date(iso).toLocaleString(localeOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });

/** What a check is called, and what it means that it holds or not. @param time ISO 8601, of the timestamp */
export function wordsOf(language: Language, { name, ok }: Check, time: string | undefined) {
  const values: Values = time ? { time: moment(language, time) } : {};
  return {
    title: say(language, name),
    finding: say(language, ok ? `${name}Ok` : `${name}Bad`, values),
    verdict: say(language, ok ? 'ok' : 'bad'),
  };
}

/** Of a court pack in which nothing was changed. @param count files that its list names */
export const wholePackWords = (language: Language, count: number) => ({
  title: say(language, 'packWhole'),
  finding: say(language, 'packWholeOk', { count }),
  verdict: say(language, 'ok'),
});

/** Of a court pack without a sealed PDF: it has the record alone, or belongs to another agreement. */
export const noSealWords = (language: Language, isOther: boolean) => ({
  title: say(language, 'packPdf'),
  finding: say(language, isOther ? 'packOther' : 'packNoPdf'),
  verdict: say(language, isOther ? 'bad' : 'ok'),
});

const APPROVALS = {
  signed: 'approvalSigned',
  unsigned: 'approvalUnsigned',
  broken: 'approvalBroken',
} as const satisfies Record<FoundApproval['state'], Key>;

/** Of one person's approval: signed with a passkey, or not, or with a signature that does not hold. */
export const approvalWords = (language: Language, { state, name, statement = '' }: FoundApproval) => ({
  title: say(language, 'approvalBy', { name }),
  finding: say(language, APPROVALS[state], { statement }),
  verdict: say(language, state === 'broken' ? 'bad' : 'ok'),
});

const FAULTS = {
  changed: 'packChanged',
  missing: 'packMissing',
  added: 'packAdded',
  unsigned: 'packUnsigned',
} as const satisfies Record<PackFault, Key>;

/** Of a file of a court pack that is not as it was made. */
export const packFaultWords = (language: Language, name: string, fault: PackFault) => ({
  title: name === ARCHIVE ? say(language, 'packZip') : name,
  finding: say(language, FAULTS[fault]),
  verdict: say(language, 'bad'),
});
