/** Composes an e-mail: subject, plain text and HTML. Pure. */
import type { Language } from '@karaar/contracts/limits';
import type { NotificationKind } from '@karaar/contracts/notifications/kinds';
import { KIND_TEXTS, SHARE_CHANGED } from './kind-texts.ts';
import { htmlLetter, type LetterParts } from './letter-html.ts';
import { pathOf } from '../deliveries/path-of.ts';
import { say, type Key } from './texts.ts';

export type LetterFacts = {
  kind: NotificationKind;
  language: Language;
  name: string;
  actorName: string | null;
  documentId: string | null;
  documentName: string | null;
  reason: string | null;
  amountPaise: number | null;
  /** For a changed share: the amount before. */
  replacedPaise?: number | null;
  /** `YYYY-MM-DD`: the day by which the recipient is asked to answer. */
  answerBy: string | null;
  nameInSubject: boolean;
  /** The sealed PDF and its receipt, if the recipient wants them. */
  files?: keyof typeof FILES | null;
  /** The address of Karaar, without a trailing slash. */
  publicUrl: string;
};

export type Letter = { subject: string; text: string; html: string };

const LONGEST_NAME = 80;
const LABELS: Partial<Record<string, Key>> = {
  '/wallet': 'open_wallet',
  '/profile': 'open_profile',
  '/chat': 'open_chat',
};

export function composeLetter(facts: LetterFacts): Letter {
  const { kind, language, publicUrl } = facts;
  const text = (key: Key, values?: Record<string, string>) => say(language, key, values);
  const document = facts.documentName === null ? text('someDocument') : written(facts.documentName);
  const values = {
    actor: facts.actorName ? written(facts.actorName) : text('somebody'),
    document,
    amount: rupees(facts.amountPaise ?? 0),
    before: rupees(facts.replacedPaise ?? 0),
  };
  const words = (facts.replacedPaise ?? null) === null ? KIND_TEXTS[kind] : SHARE_CHANGED;
  const path = pathOf(kind, facts.documentId);
  const label = kind === 'expiring' ? 'renew' : (LABELS[path] ?? 'open_document');
  const parts: LetterParts = {
    language,
    title: text(words.title),
    greeting: text('greeting', { name: written(facts.name) }),
    line: withFiles(facts, withDate(language, text(words.line, values), facts.answerBy)),
    reason: facts.reason === null ? null : text('reason', { reason: unlinked(facts.reason) }),
    button: { label: text(label), href: publicUrl + path },
    why: text('why'),
    choose: { label: text('choose'), href: `${publicUrl}/notifications/settings` },
  };
  const named = facts.nameInSubject && facts.documentName !== null;
  return {
    subject: named ? `${parts.title}: ${document}` : parts.title,
    text: plainLetter(parts),
    html: htmlLetter(parts),
  };
}

/** A reminder in an e-mail with several. */
export type DigestItem = Pick<LetterFacts, 'actorName' | 'documentId' | 'documentName' | 'answerBy'>;

/** Returns one e-mail with several reminders. Its subject names none of their documents. */
export function composeDigest(
  { language, name, publicUrl }: Pick<LetterFacts, 'language' | 'name' | 'publicUrl'>,
  items: readonly DigestItem[],
): Letter {
  const text = (key: Key, values?: Record<string, string>) => say(language, key, values);
  const parts: LetterParts = {
    language,
    title: text('title_digest', { count: String(items.length) }),
    greeting: text('greeting', { name: written(name) }),
    line: text('line_digest'),
    reason: null,
    items: items.map(({ actorName, documentId, documentName, answerBy }) => {
      const values = {
        actor: actorName ? written(actorName) : text('somebody'),
        document: documentName === null ? text('someDocument') : written(documentName),
      };
      return {
        line: withDate(language, text(KIND_TEXTS.reminded.line, values), answerBy),
        href: publicUrl + pathOf('reminded', documentId),
      };
    }),
    button: { label: text('open_documents'), href: `${publicUrl}/dashboard` },
    why: text('why'),
    choose: { label: text('choose'), href: `${publicUrl}/notifications/settings` },
  };
  return { subject: parts.title, text: plainLetter(parts), html: htmlLetter(parts) };
}

export function withDate(language: Language, line: string, day: string | null): string {
  if (day === null) return line;
  const format = new Intl.DateTimeFormat(`${language}-IN-u-nu-latn`, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  return `${line} ${say(language, 'answer_by', { day: format.format(new Date(`${day}T00:00:00Z`)) })}`;
}

const FILES = {
  attached: 'files_attached',
  too_large: 'files_too_large',
  unreadable: 'files_unreadable',
} as const satisfies Record<string, Key>;

const withFiles = ({ language, files }: LetterFacts, line: string): string =>
  files ? `${line} ${say(language, FILES[files])}` : line;

export function plainLetter({
  greeting,
  line,
  reason,
  items = [],
  button,
  why,
  choose,
}: LetterParts): string {
  const lines = [
    greeting,
    line,
    reason,
    ...items.map((item) => `${item.line}\n${item.href}`),
    button && `${button.label}:\n${button.href}`,
    '-- ',
    why,
    choose && `${choose.label}:\n${choose.href}`,
  ];
  return `${lines.filter((one) => one !== null).join('\n\n')}\n`;
}

const rupees = (paise: number): string =>
  new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }).format(paise / 100);

/** Makes a name safe for an e-mail: on one line, shortened, and without a clickable address. */
function written(name: string): string {
  const one = name.replaceAll(/\s+/gu, ' ').trim();
  const letters = [...one];
  return unlinked(letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join('')}…` : one);
}

/**
 * Changes text that another user wrote so that mail programs do not turn it into a link: our e-mails must
 * link to Karaar only. It puts an invisible word joiner after each character by which mail programs recognise
 * addresses.
 */
export const unlinked = (text: string): string => text.replaceAll(/[.:/@](?=\S)/gu, '$&\u2060');
