/**
 * Every sentence of the final PDF, with the facts that it uses. The templates print only these sentences,
 * labels and facts (sentences.test.ts checks that). A sentence gets only its facts, and is not printed if one
 * of them is not on record.
 * The certificate has several languages: this table names the facts of its sentences once, and `texts/` holds
 * their words. The other pages are English and have their words here.
 */
import { partKey } from '@karaar/contracts/left-out-words';
import type { RawFileKind, SealStatement } from '../types.ts';
import { PHOTO_WORDS, photoWords, SIGN_WORDS, signWords } from './photo-words.ts';
import { sealNoteOf } from './seal-notes.ts';
import type { DocumentFacts, EntryFacts, InputFacts, PersonFacts } from './facts.ts';
import { counted, day, dayOf, grouped, rupees } from './format.ts';
import { html, type Html, raw } from './html.ts';
import { ENGLISH, type Key, type Translated, type Words } from './words.ts';

/** The scope of the facts of a sentence. */
export type Scope = 'document' | 'person' | 'entry' | 'input';

export interface Sentence<F> {
  of: Scope;
  facts: readonly (keyof F)[];
  label: ((words: Words) => Html) | undefined;
  /** Returns undefined if a fact is absent, or if the facts give no reason for the sentence. */
  from: (facts: F, words?: Words) => Html | undefined;
}

/** @param text gets exactly the facts that the sentence names */
const about =
  <F extends object>(of: Scope) =>
  <const K extends keyof F>(
    facts: readonly K[],
    text: (known: { [P in K]-?: NonNullable<F[P]> }, words: Words) => Html | undefined,
    label?: (words: Words) => Html,
  ): Sentence<F> => ({
    of,
    facts,
    label,
    from: (all, words = ENGLISH) => {
      if (facts.some((fact) => all[fact] === undefined)) return undefined;
      const known = Object.fromEntries(facts.map((fact) => [fact, all[fact]]));
      return text(known as { [P in K]-?: NonNullable<F[P]> }, words);
    },
  });

const ofDocument = about<DocumentFacts>('document');
const ofPerson = about<PersonFacts>('person');
const ofEntry = about<EntryFacts>('entry');
const ofInput = about<InputFacts>('input');

const mono = (text: string): Html => html`<span class="mono">${text}</span>`;
const bdi = (text: string): Html => html`<bdi>${text}</bdi>`;

const bold = (text: string): Html => html`<b>${bdi(text)}</b>`;
/** Words of the record, in its original language. */
const recorded = (text: string, { language }: Words): Html =>
  language === 'en' ? html`${text}` : html`<span lang="en">${text}</span>`;

const LEVELS = {
  'B-B': 'timeStated',
  'B-T': 'timeAttested',
  'B-LT': 'timeAttestedWhole',
} as const satisfies Record<SealStatement['level'], Key>;

const KINDS = {
  pdf: 'kindPdf',
  image: 'kindImage',
  doc: 'kindWord',
  docx: 'kindWord',
} as const satisfies Record<RawFileKind, Key>;

const LISTED = new Intl.ListFormat('en-IN', { type: 'conjunction' });

const capital = (words: string): Html => html`${words.charAt(0).toUpperCase()}${words.slice(1)}`;

export const SENTENCES = {
  between: ofDocument(
    ['people'],
    ({ people }) => html`An agreement between ${counted(people, 'person', 'people')}.`,
  ),
  allApproved: ofDocument(['people', 'approvals'], ({ people, approvals }) =>
    people === approvals ? html`Each of them approved it.` : undefined,
  ),
  code: ofDocument(
    ['code'],
    ({ code }) => mono(grouped(code)),
    () => html`Document code`,
  ),
  location: ofDocument(
    ['location'],
    ({ location }) => bdi(location),
    () => html`Location`,
  ),
  from: ofDocument(
    ['startDate'],
    ({ startDate }) => html`${day(startDate)}`,
    () => html`From`,
  ),
  to: ofDocument(
    ['endDate'],
    ({ endDate }) => html`${day(endDate)}`,
    () => html`To`,
  ),
  created: ofDocument(
    ['createdAt'],
    ({ createdAt }) => html`${dayOf(createdAt)}`,
    () => html`Created`,
  ),

  role: ofPerson(['role'], ({ role }) => (role === 'primary' ? html`Created the agreement` : html`Party`)),
  id: ofPerson(['charId'], ({ charId }) => html`ID ${mono(grouped(charId))}`),
  stamp: ofPerson(['approvedAt'], () => html`Approved`),
  approved: ofPerson(['approvedAt'], ({ approvedAt }, { say, moment }) =>
    say('approvedAt', { when: moment(approvedAt) }),
  ),
  approvedBy: ofPerson(['approvedAt', 'approvedBy'], ({ approvedBy }, { say }) =>
    say(approvedBy === 'key' ? 'byKey' : 'bySession'),
  ),
  signed: ofPerson(['signMethod'], ({ signMethod }) => capital(signWords(signMethod))),
  face: ofPerson(['faceSource'], ({ faceSource }) => capital(photoWords('face', faceSource))),
  eye: ofPerson(['eyeSource'], ({ eyeSource }) => html`${photoWords('eye', eyeSource)}`),
  statement: ofPerson(['statement'], ({ statement }) => mono(shortHash(statement))),
  oneImageTwice: ofPerson(['oneImageTwice', 'name'], ({ name }, { say }) =>
    say('oneImageTwice', { name: bdi(name) }),
  ),
  sharedImage: ofPerson(['sharedImage', 'name'], ({ name }, { say }) =>
    say('sharedImage', { name: bdi(name) }),
  ),
  sentBefore: ofPerson(['sentBefore', 'name'], ({ name }, { say }) => say('sentBefore', { name: bdi(name) })),

  howSigned: ofDocument(['people'], () => html`How each person signed, from Karaar’s record.`),

  putTogether: ofDocument(['name', 'code', 'composedAt'], ({ name, code, composedAt }, { say, moment }) =>
    say('putTogether', { name: bdi(name), code: mono(grouped(code)), when: moment(composedAt) }),
  ),
  /** On the English certificate and each translation. */
  translated: ofDocument(
    ['languages'],
    ({ languages }) =>
      html`This certificate follows in ${LISTED.format(languages.map((one) => LANGUAGE_NAMES[one]))} as well.
      Where the texts differ, this one holds.`,
  ),
  translation: ofDocument(['languages'], (_known, { say }) => say('translation')),
  law: ofDocument(['law'], ({ law }, words) => {
    const { title, lines } = law[words.language] ?? law.en;
    const said = html`<h2>${title}</h2>
      ${lines.map(({ text, heading }) => (heading ? html`<h3>${text}</h3>` : html`<p class="small">${text}</p>`))}`;
    return law[words.language] ? said : html`<div lang="en">${said}</div>`;
  }),
  historyMade: ofDocument(['name', 'code', 'composedAt'], ({ name, code, composedAt }, { say, moment }) =>
    say('historyMade', { name: bdi(name), code: mono(grouped(code)), when: moment(composedAt) }),
  ),
  checkIt: ofDocument(['verifyUrl'], (_known, { say }) => say('checkIt')),
  seal: ofDocument(['signer'], ({ signer }, { say }) =>
    say('sealedBy', { signer: bdi(signer), rule: 'DocMDP P=1' }),
  ),
  sealTime: ofDocument(['sealLevel'], ({ sealLevel }, { say }) =>
    say(LEVELS[sealLevel], { level: `PAdES ${sealLevel}` }),
  ),
  sealNote: ofDocument(['sealNote'], ({ sealNote }, words) => {
    const key = sealNoteOf(sealNote);
    return key ? words.say(key) : recorded(sealNote, words);
  }),
  sealOwnAuthority: ofDocument(['ownAuthority', 'verifyUrl'], (_known, { say }) => say('sealOwnAuthority')),
  sealCertificate: ofDocument(['certFingerprint'], ({ certFingerprint }, { say }) =>
    say('sealCertificate', { hash: html`<span class="mono hash">${certFingerprint}</span>` }),
  ),
  log: ofDocument(['logOrigin', 'verifyUrl'], ({ logOrigin }, { say }) =>
    say('log', { log: mono(logOrigin) }),
  ),
  chargeIs: ofDocument(['totalPaise'], (_known, { say }) => say('chargeIs')),
  chargedFor: ofDocument(
    ['days'],
    ({ days }, { say }) => say('days', { days }),
    ({ say }) => say('chargedFor'),
  ),
  dailyRate: ofDocument(
    ['dailyRatePaise'],
    (known) => html`${rupees(known.dailyRatePaise)}`,
    ({ say }) => say('dailyRate'),
  ),
  total: ofDocument(
    ['totalPaise'],
    ({ totalPaise }) => html`${rupees(totalPaise)}`,
    ({ say }) => say('total'),
  ),
  statements: ofDocument(['statementAmong'], (_known, { say }) => say('statementsMean')),
  liveMeans: ofDocument(['liveAmong'], (_known, { say }) => say('liveMeans')),
  statedMeans: ofDocument(['statedAmong'], (_known, { say }) => say('statedMeans')),

  entry: ofEntry(
    ['actor', 'action', 'at'],
    ({ actor, action, at }, words) =>
      html`${bold(actor)} ${recorded(action, words)} <span class="faint small">· ${words.moment(at)}</span>`,
  ),
  /** A name is not inflected, so the act is a separate phrase. */
  event: ofEntry(
    ['actor', 'event', 'at'],
    ({ actor, event, at }, { say, moment }) =>
      html`${bold(actor)}: ${say(event.key, event.name === undefined ? {} : { name: bdi(event.name) })}
        <span class="faint small">· ${moment(at)}</span>`,
  ),
  entryDetail: ofEntry(['detail'], ({ detail }) => bdi(detail)),
  /** The record holds more than a translated event says, such as amounts and days. */
  recordedAs: ofEntry(['event', 'action'], ({ action }, words) =>
    words.language === 'en' ? undefined : words.say('recordedAs', { text: recorded(action, words) }),
  ),
  entryEvidence: ofEntry(['evidence'], ({ evidence }, { say }) => {
    const hashes = evidence.map(
      ({ of, sha256 }, i) => html`${i === 0 ? '' : ' · '}${say(of)} ${mono(`${shortHash(sha256)}…`)}`,
    );
    return html`${say('sha256')}: ${hashes}`;
  }),
  inputFile: ofInput(['file'], ({ file }, { say }) => say(KINDS[file])),
  inputPages: ofInput(['pages'], (_known, { say }) => say('pagesMade')),
  inputPictures: ofInput(['picturePages'], ({ picturePages }, { say }) =>
    say('keptAsPictures', { count: picturePages.length, list: picturePages.join(', ') }),
  ),
  inputAccepted: ofInput(
    ['picturePages', 'acceptedBy', 'acceptedAt'],
    ({ acceptedBy, acceptedAt }, { say, moment }) =>
      say('picturesAccepted', { name: bdi(acceptedBy), when: moment(acceptedAt) }),
  ),
  inputLeftOut: ofInput(['leftOut'], ({ leftOut }, { say }) => {
    const parts = leftOut.map((part, i) => html`${i === 0 ? '' : '; '}${say(partKey(part))}`);
    return say('leftOut', { list: html`${parts}` });
  }),
  inputLeftOutAccepted: ofInput(
    ['leftOut', 'acceptedBy', 'leftOutAcceptedAt'],
    ({ acceptedBy, leftOutAcceptedAt }, { say, moment }) =>
      say('picturesAccepted', { name: bdi(acceptedBy), when: moment(leftOutAcceptedAt) }),
  ),
  inputFace: ofInput(['faceSource'], ({ faceSource }, { say }) => say(PHOTO_WORDS.face[faceSource])),
  inputEye: ofInput(['eyeSource'], ({ eyeSource }, { say }) => say(PHOTO_WORDS.eye[eyeSource])),
  inputSign: ofInput(['signMethod'], ({ signMethod }, { say }) => say(SIGN_WORDS[signMethod])),
  inputStatement: ofInput(['statement'], (_known, { say }) => say('approvalStatement')),
} as const;

/** Words that claim nothing: headings and column titles. */
export const LABELS = {
  wordmark: html`करार<small>Karaar</small>`,
  agreement: html`Agreement`,
  terms: html`Terms`,
  between: html`Between`,
  description: html`Description`,
  pageDetails: html`Page details`,
  inThisFile: html`In this file`,
  part: html`Part`,
  page: html`Page`,
  pages: html`Pages`,
  ofAgreement: html`Terms and parties`,
  ofSignatures: html`Photo and signature of each person`,
  ofCertificate: html`Seal, history and hashes`,
  signatures: html`Signatures`,
  signHere: html`×`,
  dot: html` · `,
} as const;

/** The headings of the certificate, which claim nothing. */
export const HEADINGS = [
  'certificate',
  'check',
  'seal',
  'charge',
  'approvals',
  'person',
  'approval',
  'statement',
  'noticed',
  'history',
  'historyTitle',
  'inputs',
  'input',
  'sha256',
] as const satisfies readonly Key[];
export type Heading = (typeof HEADINGS)[number];

/** The titles of certificates in other languages, for the table of contents. */
export const LANGUAGE_NAMES: Record<Translated, string> = {
  hi: 'Hindi',
  ta: 'Tamil',
  bn: 'Bengali',
  mr: 'Marathi',
  te: 'Telugu',
};
export const certificateIn = (language: Translated): Html =>
  html`The certificate in ${LANGUAGE_NAMES[language]}`;

/** Returns the sentence; undefined if one of its facts is not on record. */
export const say = <F>(sentence: Sentence<F>, facts: NoInfer<F>, words?: Words): Html | undefined =>
  sentence.from(facts, words);

/** Returns those of several sentences that have their facts, joined with `between`. */
export function sayAll<F>(
  sentences: readonly Sentence<F>[],
  facts: NoInfer<F>,
  { between = raw(' '), words }: { between?: Html; words?: Words } = {},
): Html | undefined {
  const said = sentences.flatMap((sentence) => say(sentence, facts, words) ?? []);
  return said.length === 0
    ? undefined
    : html`${said.map((one, i) => (i === 0 ? one : html`${between}${one}`))}`;
}

/** Returns a value with its label, for a list of values. */
export function sayLabelled<F>(sentence: Sentence<F>, facts: NoInfer<F>, words = ENGLISH): Html | undefined {
  const said = say(sentence, facts, words);
  return (
    said &&
    html`<div>
      <dt>${sentence.label?.(words)}</dt>
      <dd>${said}</dd>
    </div>`
  );
}

/** Returns the first 64 bits of a hash, as people compare them: "3f2a 91bc 77d0 e1f2". */
export function shortHash(hex: string): string {
  return hex.slice(0, 16).replace(/(.{4})(?=.)/g, '$1 ');
}
