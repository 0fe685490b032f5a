/**
 * The receipt's texts in the reader's language. The page contains all six languages, since it cannot load
 * anything later.
 */
import type { Language } from '@karaar/contracts/limits';
import type { DocumentFinding } from '@karaar/proof/seal/check';
import type { Check } from '@karaar/proof/seal/check-result';
import { ARCHIVE, type PackFault } from '@karaar/proof/pack';
import { TEXTS, type Key } from '../texts.ts';
import type { FoundApproval } from './approvals.ts';

type Values = Record<string, string | number>;

/** Latin digits in every language, as everywhere in Karaar. */
const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`;

/** Returns the first of the reader's languages that Karaar supports, else English. */
export const firstLanguage = (wanted: readonly string[]): Language =>
  wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(TEXTS, value);

/** Returns a text with its values filled in. */
export const say = (language: Language, key: Key, values: Values = {}): string =>
  TEXTS[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

export const languageNames = Object.keys(TEXTS)
  .filter(isLanguage)
  .map((language) => ({ language, name: say(language, 'languageName') }));

/** Formats a time for readers, in their own time zone, which the text names. @param iso ISO 8601 */
export const moment = (language: Language, iso: string): string =>
  new Date(iso).toLocaleString(localeOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });

/** Returns a check's title, finding and verdict. @param seal its timestamp and authority */
export function wordsOf(language: Language, { name, ok }: Check, seal: DocumentFinding['seal']) {
  const values: Values = seal?.timestamp ? { time: moment(language, seal.timestamp.time.toISOString()) } : {};
  const good = name === 'certificate' && seal?.ownAuthority ? 'certificateOwn' : (`${name}Ok` as const);
  return {
    title: say(language, name),
    finding: say(language, ok ? good : `${name}Bad`, values),
    verdict: say(language, ok ? 'ok' : 'bad'),
  };
}

export const wholePackWords = (language: Language, count: number) => ({
  title: say(language, 'packWhole'),
  finding: say(language, 'packWholeOk', { count }),
  verdict: say(language, 'ok'),
});

/**
 * The texts for a court pack without the sealed PDF: it contains the record alone, or belongs to another
 * agreement.
 */
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

/** The texts for one approval: with a valid passkey signature, with an invalid one, or without. */
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

export const packFaultWords = (language: Language, name: string, fault: PackFault) => ({
  title: name === ARCHIVE ? say(language, 'packZip') : name,
  finding: say(language, FAULTS[fault]),
  verdict: say(language, 'bad'),
});
