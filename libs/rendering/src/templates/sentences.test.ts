/** The templates print no sentence without its facts, and have no words of their own. */
import { readFileSync } from 'node:fs';
import { LAW } from '@karaar/contracts/cms/law';
import { LANGUAGES } from '@karaar/contracts/limits';
import ts from 'typescript';
import { agreement } from '../testing/samples.ts';
import { agreementPart } from './agreement.ts';
import { certificatePart } from './certificate.ts';
import {
  factsOf,
  type DocumentFacts,
  type EntryFacts,
  type InputFacts,
  type PdfFacts,
  type PersonFacts,
} from './facts.ts';
import { historyPage } from './history.ts';
import type { Html } from './html.ts';
import { HEADINGS, LABELS, SENTENCES, type Scope, type Sentence } from './sentences.ts';
import { sheet } from './sheet.ts';
import { signaturesPart } from './signatures.ts';
import { wordsOf, type Words } from './words.ts';

/** Every fact that a record can hold. */
const DOCUMENT: Required<DocumentFacts> = {
  name: 'Rent of the flat',
  code: '7K3M9QXA',
  location: 'Pune',
  startDate: '2026-12-01',
  endDate: '2027-11-30',
  createdAt: '2026-11-20T09:00:00Z',
  composedAt: '2026-11-22T09:00:00Z',
  description: 'The rent is paid by the 5th.',
  people: 2,
  approvals: 2,
  liveAmong: true,
  statedAmong: true,
  statementAmong: true,
  days: 365,
  dailyRatePaise: 150,
  totalPaise: 54_750,
  sealLevel: 'B-T',
  signer: 'Karaar seal',
  certFingerprint: 'ab'.repeat(32),
  ownAuthority: true,
  sealNote: 'The first authority did not answer.',
  logOrigin: 'karaar.example/log',
  verifyUrl: 'https://karaar.example/verify/7K3M9QXA',
  languages: ['hi', 'ta'],
  law: LAW,
};
const PERSON: Required<PersonFacts> = {
  name: 'Vikram Shah',
  charId: 'ZX98YV76',
  role: 'party',
  approvedAt: '2026-11-21T03:04:05Z',
  approvedBy: 'key',
  statement: '3f2a91bc77d0e1f2'.repeat(4),
  faceSource: 'live',
  eyeSource: 'device',
  signMethod: 'typed',
  oneImageTwice: true,
  sharedImage: true,
  sentBefore: true,
};
const ENTRY: Required<EntryFacts> = {
  at: '2026-11-21T03:04:05Z',
  actor: 'Meera Nair',
  action: 'Invited Vikram Shah',
  event: { key: 'eventPartyInvited', name: 'Vikram Shah' },
  detail: 'By phone',
  evidence: [{ of: 'sealedPdf', sha256: 'ef'.repeat(32) }],
};
const INPUT: Required<InputFacts> = {
  file: 'docx',
  pages: true,
  picturePages: [3, 5],
  acceptedBy: 'Asha Rao',
  acceptedAt: '2026-11-21T02:03:04Z',
  leftOut: ['signatures', 'scripts'],
  leftOutAcceptedAt: '2026-11-21T02:03:05Z',
  faceSource: 'device',
  eyeSource: 'live',
  signMethod: 'uploaded',
  statement: 'cd'.repeat(32),
};
const SCOPES: Record<Scope, object> = { document: DOCUMENT, person: PERSON, entry: ENTRY, input: INPUT };

// Each sentence has other facts; this type stands for all of them.
const all = Object.entries(SENTENCES) as [string, Sentence<Record<string, unknown>>][];
const textOf = (said: Html | string): string =>
  (typeof said === 'string' ? said : said.markup)
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Returns the four pages as text, with certificate and history in the given language, for a document with one
 * person, one history line and one input.
 */
function pages(
  document: DocumentFacts,
  person: PersonFacts,
  entry: EntryFacts,
  input: InputFacts,
  words: Words,
): string {
  const facts: PdfFacts = { document, people: [person], history: [entry] };
  const hashes = [{ name: 'x', is: input, sha256: '' }];
  const parts = [
    agreementPart(facts, [], []),
    signaturesPart(facts, []),
    certificatePart(facts, { qrSvg: '', hashes, words }),
  ];
  return [sheet({ title: 'x', code: 'x', parts }), historyPage(facts, { inputs: hashes, words })]
    .map(textOf)
    .join('\n');
}
function pagesOf(of: Scope, change: object, words: Words): string {
  const facts = (scope: Scope): object => (scope === of ? { ...SCOPES[scope], ...change } : SCOPES[scope]);
  return pages(facts('document'), facts('person'), facts('entry'), facts('input'), words);
}
const times = (text: string, part: string): number => text.split(part).length - 1;

/** Sentences of the English certificate only, and of its translations only. */
const ENGLISH_ONLY = ['translated'];
const TRANSLATED_ONLY = ['translation', 'event', 'recordedAs'];
/** Sentences that another one replaces in a translation, with the fact that triggers it. */
const GIVES_WAY: Record<string, object> = { entry: { event: undefined } };

describe.each(LANGUAGES)('in %s', (language) => {
  const words = wordsOf(language);
  const omitted = language === 'en' ? TRANSLATED_ONLY : ENGLISH_ONLY;

  describe.each(all.filter(([name]) => !omitted.includes(name)))('“%s”', (name, sentence) => {
    const reason = language === 'en' ? {} : (GIVES_WAY[name] ?? {});
    const facts: Record<string, unknown> = { ...SCOPES[sentence.of], ...reason };
    const said = sentence.from(facts, words);
    const printed = pagesOf(sentence.of, reason, words);

    it('is printed if its facts are on record', () => {
      expect(said).toBeDefined();
      expect(printed).toContain(textOf(said!));
    });

    it.each(sentence.facts as readonly string[])('is not printed if “%s” is not on record', (fact) => {
      const gone = { ...reason, [fact]: undefined };
      expect(sentence.from({ ...facts, ...gone }, words)).toBeUndefined();
      const left = pagesOf(sentence.of, gone, words);
      expect(times(left, textOf(said!))).toBeLessThan(times(printed, textOf(said!)));
    });

    it('gets only the facts that it names', () => {
      const named = Object.fromEntries(sentence.facts.map((fact) => [fact, facts[fact as string]]));
      const again = sentence.from(named, words);
      expect(again?.markup).toBe(sentence.from(facts, words)?.markup);
    });
  });
});

it('every fact of the record is named by a sentence, or printed unchanged', () => {
  const printedAsTheyAre = ['name', 'description', 'verifyUrl'];
  const named = new Set(all.flatMap(([, { facts }]) => facts as readonly string[]));
  for (const scope of Object.values(SCOPES))
    expect(Object.keys(scope).filter((key) => !named.has(key) && !printedAsTheyAre.includes(key))).toEqual(
      [],
    );
});

it.each(LANGUAGES)('pages of an empty record have labels and no sentence (%s)', (language) => {
  const words = wordsOf(language);
  const labels = [...Object.values(LABELS), ...HEADINGS.map((key) => words.say(key))].map(textOf);
  const left = labels
    .sort((a, b) => b.length - a.length)
    .reduce((text, label) => text.replaceAll(label, ''), pages({}, {}, {}, {}, words));
  expect(left.replace(/[\s·x]+/g, '')).toBe('');
});

it('says that each person approved only if each did', async () => {
  const input = await agreement();
  const [asha, vikram] = input.parties;
  const lead = ({ document }: PdfFacts) => textOf(SENTENCES.allApproved.from(document) ?? '');
  expect(lead(factsOf(input))).toBe('Each of them approved it.');
  const open = factsOf({ ...input, parties: [asha!, { ...vikram!, approval: undefined }] });
  expect(lead(open)).toBe('');
  expect(SENTENCES.stamp.from(open.people[1]!)).toBeUndefined();
});

/** Returns the words in the source itself: between tags of its markup, or in a string. */
function ownWords(source: string): string[] {
  const file = ts.createSourceFile('t.ts', source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const keep = (text: string): void => {
    const words = text.replace(/<[^>]*>/g, ' ').replace(/[\s\0]+/g, ' ');
    if (/\p{L}/u.test(words)) found.push(words.trim());
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'STYLE') return;
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'html') {
      const { template } = node;
      // A placeholder counts as a word, also in a tag.
      keep(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? template.text
          : template.head.text + template.templateSpans.map((span) => `\0${span.literal.text}`).join(''),
      );
      if (ts.isTemplateExpression(template)) template.templateSpans.forEach((span) => visit(span.expression));
      return;
    }
    const isProse = (text: string): boolean => /^\p{Lu}|\p{L}\s+\p{L}/u.test(text.trim());
    if (ts.isStringLiteralLike(node) && isProse(node.text)) keep(node.text);
    if (ts.isTemplateExpression(node) && isProse(node.head.text)) keep(node.head.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('a template', () => {
  it.each(['agreement.ts', 'signatures.ts', 'certificate.ts', 'history.ts', '../final-pdf/contents.ts'])(
    '%s has no words of its own',
    (path) => {
      const source = readFileSync(new URL(path, import.meta.url), 'utf8');
      // The drawn seal carries the name of the standard.
      expect(ownWords(source).filter((word) => word !== 'PAdES')).toEqual([]);
    },
  );

  it('with a sentence of its own is found', () => {
    expect(ownWords('html`<p class="lead">${x} was photographed live.</p>`')).toEqual([
      'was photographed live.',
    ]);
    expect(ownWords('html`<p>${x ? "drew this signature" : y}</p>`')).toEqual(['drew this signature']);
    expect(ownWords("const said = 'Not stated';")).toEqual(['Not stated']);
    expect(ownWords('html`<p>${say(S.role, x)}</p>`')).toEqual([]);
  });
});
