/**
 * Every sentence of the final PDF, with the facts that it comes from. The templates have no words of their own: what
 * they print is a sentence of this table, a label, or a fact itself (sentences.test.ts holds them to it). A sentence is
 * given its facts and nothing else, and is not printed when one of them is not on record.
 */
import type { RawFileKind, SealStatement } from '../types.ts';
import { photoWords, signWords } from '../photo-words.ts';
import type { DocumentFacts, EntryFacts, InputFacts, PersonFacts } from './facts.ts';
import { counted, day, dayOf, grouped, moment, rupees } from './format.ts';
import { html, type Html, raw } from './html.ts';

/** Whose facts a sentence is from. */
export type Scope = 'document' | 'person' | 'entry' | 'input';

export interface Sentence<F> {
  of: Scope;
  facts: readonly (keyof F)[];
  /** What the value is of, where it stands in a list of values. */
  label: string | undefined;
  /** Nothing when a fact is absent, or when the facts give no reason to say it. */
  from: (facts: F) => Html | undefined;
}

/** @param text is given the facts that the sentence names, all of them, and no other */
const about =
  <F extends object>(of: Scope) =>
  <const K extends keyof F>(
    facts: readonly K[],
    text: (known: { [P in K]-?: NonNullable<F[P]> }) => Html | undefined,
    label?: string,
  ): Sentence<F> => ({
    of,
    facts,
    label,
    from: (all) => {
      if (facts.some((fact) => all[fact] === undefined)) return undefined;
      const known = Object.fromEntries(facts.map((fact) => [fact, all[fact]]));
      return text(known as { [P in K]-?: NonNullable<F[P]> });
    },
  });

const ofDocument = about<DocumentFacts>('document');
const ofPerson = about<PersonFacts>('person');
const ofEntry = about<EntryFacts>('entry');
const ofInput = about<InputFacts>('input');

const mono = (text: string): Html => html`<span class="mono">${text}</span>`;
const bdi = (text: string): Html => html`<bdi>${text}</bdi>`;

const LEVELS: Record<SealStatement['level'], Html> = {
  'B-B': html`The time of sealing is stated by Karaar; no timestamp authority attests it (PAdES B-B).`,
  'B-T': html`The time of sealing is attested by a timestamp authority (PAdES B-T).`,
  'B-LT': html`The time of sealing is attested by a timestamp authority, and the file itself holds what tells
  that no certificate was revoked then (PAdES B-LT).`,
};

const KINDS: Record<RawFileKind, Html> = {
  pdf: html`PDF`,
  image: html`Image`,
  doc: html`Word document`,
  docx: html`Word document`,
};

const capital = (words: string): Html => html`${words.charAt(0).toUpperCase()}${words.slice(1)}`;

export const SENTENCES = {
  /** Of the agreement page. */
  between: ofDocument(
    ['people'],
    ({ people }) => html`An agreement between ${counted(people, 'person', 'people')}.`,
  ),
  allApproved: ofDocument(['people', 'ownApprovals'], ({ people, ownApprovals }) =>
    people === ownApprovals ? html`Each of them approved it.` : undefined,
  ),
  someApproved: ofDocument(
    ['people', 'ownApprovals', 'creatorApprovals'],
    (known) =>
      html`${known.ownApprovals} of ${known.people} approved it themselves; for ${known.creatorApprovals} the
      creator approved.`,
  ),
  code: ofDocument(['code'], ({ code }) => mono(grouped(code)), 'Document code'),
  location: ofDocument(['location'], ({ location }) => bdi(location), 'Location'),
  from: ofDocument(['startDate'], ({ startDate }) => html`${day(startDate)}`, 'From'),
  to: ofDocument(['endDate'], ({ endDate }) => html`${day(endDate)}`, 'To'),
  created: ofDocument(['createdAt'], ({ createdAt }) => html`${dayOf(createdAt)}`, 'Created'),

  /** Of a person. */
  role: ofPerson(['role'], ({ role }) => (role === 'primary' ? html`Created the agreement` : html`Party`)),
  id: ofPerson(['charId'], ({ charId }) => html`ID ${mono(grouped(charId))}`),
  stamp: ofPerson(['approvedAt'], () => html`Approved`),
  approved: ofPerson(['approvedAt'], ({ approvedAt }) => html`Approved ${moment(approvedAt)}`),
  approvedByCreator: ofPerson(
    ['creatorApprovedAt', 'creatorName'],
    ({ creatorApprovedAt, creatorName }) =>
      html`Approved by the creator, ${bdi(creatorName)}, ${moment(creatorApprovedAt)}`,
  ),
  signed: ofPerson(['signMethod'], ({ signMethod }) => capital(signWords(signMethod))),
  face: ofPerson(['faceSource'], ({ faceSource }) => capital(photoWords('face', faceSource))),
  eye: ofPerson(['eyeSource'], ({ eyeSource }) => html`${photoWords('eye', eyeSource)}`),
  statement: ofPerson(['statement'], ({ statement }) => mono(shortHash(statement))),
  oneImageTwice: ofPerson(
    ['oneImageTwice', 'name'],
    ({ name }) => html`${bdi(name)} sent one file as two of the images.`,
  ),
  sharedImage: ofPerson(
    ['sharedImage', 'name'],
    ({ name }) => html`${bdi(name)} sent a file that another person of this agreement sent as well.`,
  ),
  sentBefore: ofPerson(
    ['sentBefore', 'name'],
    ({ name }) =>
      html`A photo of ${bdi(name)} had been sent to Karaar before, for another document or by another person.`,
  ),

  /** Of the signature page. */
  howSigned: ofDocument(['people'], () => html`How each person signed, from Karaar’s record.`),

  /** Of the certificate. */
  putTogether: ofDocument(
    ['name', 'code', 'composedAt'],
    ({ name, code, composedAt }) =>
      html`${bdi(name)}, document ${mono(grouped(code))}, put together for sealing on ${moment(composedAt)}.`,
  ),
  checkIt: ofDocument(
    ['verifyUrl'],
    () =>
      html`Scan the code, or open the address under it, and drop this file there. You need no account. It
      shows whether the seal is intact and whether the file is the one that was sealed.`,
  ),
  seal: ofDocument(
    ['signer'],
    ({ signer }) =>
      html`This file carries one certification signature by ${bdi(signer)} that allows no change at all
      (DocMDP P=1).`,
  ),
  sealTime: ofDocument(['sealLevel'], ({ sealLevel }) => LEVELS[sealLevel]),
  sealNote: ofDocument(['sealNote'], ({ sealNote }) => html`${sealNote}`),
  sealCertificate: ofDocument(
    ['certFingerprint'],
    ({ certFingerprint }) => html`Certificate SHA-256 <span class="mono hash">${certFingerprint}</span>`,
  ),
  log: ofDocument(
    ['logOrigin', 'verifyUrl'],
    ({ logOrigin }) =>
      html`Right after sealing, the SHA-256 of this file is entered in the transparency log
      ${mono(logOrigin)}. The address above shows its place there.`,
  ),
  chargeIs: ofDocument(
    ['totalPaise'],
    () => html`What Karaar charges for this document. It is not a term of the agreement.`,
  ),
  chargedFor: ofDocument(['days'], ({ days }) => html`${counted(days, 'day')}`, 'Charged for'),
  dailyRate: ofDocument(['dailyRatePaise'], (known) => html`${rupees(known.dailyRatePaise)}`, 'Daily rate'),
  total: ofDocument(['totalPaise'], ({ totalPaise }) => html`${rupees(totalPaise)}`, 'Total'),
  statements: ofDocument(
    ['statementAmong'],
    () =>
      html`The number beside an approval begins the SHA-256 of its statement: which files and terms were
      approved, by whom and when.`,
  ),
  liveMeans: ofDocument(
    ['liveAmong'],
    () =>
      html`“Taken live” means that Karaar gave out a single-use number when the camera opened, and received
      the photo’s SHA-256 under it within five minutes.`,
  ),
  statedMeans: ofDocument(
    ['statedAmong'],
    () => html`“From the device”, and how a signature was made, is what the person’s own screen stated.`,
  ),

  /** Of a line of the history, and of an input. */
  entry: ofEntry(
    ['actor', 'action', 'at'],
    ({ actor, action, at }) =>
      html`<b><bdi>${actor}</bdi></b> ${action} <span class="faint small">· ${moment(at)}</span>`,
  ),
  entryDetail: ofEntry(['detail'], ({ detail }) => bdi(detail)),
  inputFile: ofInput(['file'], ({ file }) => KINDS[file]),
  inputPages: ofInput(['pages'], () => html`the pages made of it`),
  inputPictures: ofInput(
    ['picturePages'],
    ({ picturePages }) =>
      html`${picturePages.length === 1 ? html`Page` : html`Pages`} ${picturePages.join(', ')}
      ${picturePages.length === 1 ? html`is kept as a picture` : html`are kept as pictures`} of what viewers
      show.`,
  ),
  inputAccepted: ofInput(
    ['picturePages', 'acceptedBy', 'acceptedAt'],
    ({ acceptedBy, acceptedAt }) => html`${bdi(acceptedBy)} accepted that, ${moment(acceptedAt)}.`,
  ),
  inputFace: ofInput(['faceSource'], ({ faceSource }) => html`${photoWords('face', faceSource)}`),
  inputEye: ofInput(['eyeSource'], ({ eyeSource }) => html`${photoWords('eye', eyeSource)}`),
  inputSign: ofInput(['signMethod'], ({ signMethod }) => html`${signWords(signMethod)}`),
  inputStatement: ofInput(['statement'], () => html`approval statement`),
} as const;

/** Words that claim nothing: headings, and what a column holds. */
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
  certificate: html`Certificate of completion`,
  check: html`Check this file yourself`,
  seal: html`The seal`,
  charge: html`Karaar charge`,
  approvals: html`Approvals`,
  person: html`Person`,
  approval: html`Approval`,
  statement: html`Statement`,
  noticed: html`Noticed about the images`,
  history: html`What happened`,
  inputs: html`What went in`,
  input: html`Input`,
  sha256: html`SHA-256`,
} as const;

/** The sentence, or nothing when a fact of it is not on record. */
export const say = <F>(sentence: Sentence<F>, facts: NoInfer<F>): Html | undefined => sentence.from(facts);

/** Those of several that are said, with `between` them. */
export function sayAll<F>(
  sentences: readonly Sentence<F>[],
  facts: NoInfer<F>,
  between = raw(' '),
): Html | undefined {
  const said = sentences.flatMap((sentence) => say(sentence, facts) ?? []);
  return said.length === 0
    ? undefined
    : html`${said.map((one, i) => (i === 0 ? one : html`${between}${one}`))}`;
}

/** A value with its label, for a list of values. */
export function sayLabelled<F>(sentence: Sentence<F>, facts: NoInfer<F>): Html | undefined {
  const said = say(sentence, facts);
  return (
    said &&
    html`<div>
      <dt>${sentence.label ?? ''}</dt>
      <dd>${said}</dd>
    </div>`
  );
}

/** The first 64 bits of a hash, as people compare them: "3f2a 91bc 77d0 e1f2". */
export function shortHash(hex: string): string {
  return hex.slice(0, 16).replace(/(.{4})(?=.)/g, '$1 ');
}
