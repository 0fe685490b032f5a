/**
 * The data for the pages of the final PDF: flat facts, absent if not on record. The sentences name the facts
 * that they need (sentences.ts); no other data reaches a page.
 */
import type { LawWords } from '@karaar/contracts/cms/law';
import type { LeftOut, PhotoSource, SignMethod } from '@karaar/contracts/documents/http';
import type { HistorySheet } from '@karaar/contracts/documents/print';
import type { FinalParty, FinalPdfInput, RawFileKind, SealStatement } from '../types.ts';
import { eventOf, type EventFact } from './event-words.ts';
import { PHOTO_WORDS, SIGN_WORDS } from './photo-words.ts';
import { isTranslated, type Key, type Translated } from './words.ts';

/** Facts of the document, all its approvals, and its seal. */
export interface DocumentFacts {
  name?: string;
  code?: string;
  location?: string;
  /** Calendar days, YYYY-MM-DD. */
  startDate?: string;
  endDate?: string;
  /** ISO 8601. */
  createdAt?: string;
  composedAt?: string;
  description?: string;
  /** How many people the agreement has, and how many of them approved. */
  people?: number;
  approvals?: number;
  /**
   * `liveAmong`: a photo has a capture record of the server. `statedAmong`: only a form states a photo source or
   * a signature method.
   */
  liveAmong?: true;
  statedAmong?: true;
  statementAmong?: true;
  days?: number;
  dailyRatePaise?: number;
  totalPaise?: number;
  sealLevel?: SealStatement['level'];
  signer?: string;
  certFingerprint?: string;
  ownAuthority?: true;
  sealNote?: string;
  logOrigin?: string;
  verifyUrl?: string;
  languages?: readonly Translated[];
  law?: LawWords;
}

export interface PersonFacts {
  name?: string;
  charId?: string;
  role?: 'primary' | 'party';
  /** ISO 8601. */
  approvedAt?: string;
  /** By the person's passkey, or by session and capture. */
  approvedBy?: 'key' | 'session';
  statement?: string;
  faceSource?: PhotoSource;
  eyeSource?: PhotoSource;
  signMethod?: SignMethod;
  oneImageTwice?: true;
  sharedImage?: true;
  sentBefore?: true;
}

/** One input: a file, its pages, a photo, a signature, or the statement of an approval. */
export interface InputFacts {
  file?: RawFileKind;
  /** Present for the pages that were made of a file at its upload. */
  pages?: true;
  /** Pages sealed as pictures; the person and the time of the consent (ISO 8601). */
  picturePages?: readonly number[];
  acceptedBy?: string;
  acceptedAt?: string;
  /** Parts of a file that its pages do not hold; the time of the same person's consent (ISO 8601). */
  leftOut?: readonly LeftOut[];
  leftOutAcceptedAt?: string;
  faceSource?: PhotoSource;
  eyeSource?: PhotoSource;
  signMethod?: SignMethod;
  statement?: string;
}

export interface EntryFacts {
  at?: string;
  actor?: string;
  action?: string;
  event?: EventFact;
  detail?: string;
  /** Images or a sealed file, with their hashes. */
  evidence?: readonly { of: Key; sha256: string }[];
}

export interface PdfFacts {
  document: DocumentFacts;
  people: PersonFacts[];
  history: EntryFacts[];
}

/**
 * Returns the languages of the certificate's translations, each once; languages unknown to this build are
 * left out.
 */
export const languagesOf = ({ languages = [] }: Pick<FinalPdfInput, 'languages'>): Translated[] => [
  ...new Set(languages.filter(isTranslated)),
];

/** Leaves out null, undefined and empty values: an unknown fact is always absent. */
function known<T extends object>(facts: { [K in keyof T]: T[K] | null | undefined }): T {
  const entries = Object.entries(facts).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  return Object.fromEntries(entries) as T;
}

export function factsOf(input: FinalPdfInput): PdfFacts {
  const { document: d, parties, seal } = input;
  const photos = parties.flatMap(({ face, eye }) => [face.source, eye.source]);
  const stated = photos.includes('device') || parties.some(({ signMethod }) => signMethod !== 'unstated');
  const languages = languagesOf(input);
  return {
    document: known<DocumentFacts>({
      name: d.name,
      code: d.code,
      location: d.location,
      startDate: d.startDate,
      endDate: d.endDate,
      createdAt: d.createdAt,
      composedAt: input.composedAt,
      description: d.description,
      people: parties.length,
      approvals: parties.filter(({ approval }) => approval).length || undefined,
      liveAmong: photos.includes('live') || undefined,
      statedAmong: stated || undefined,
      statementAmong: parties.some(({ approval }) => approval?.statementSha256) ? true : undefined,
      days: d.days,
      dailyRatePaise: d.dailyRatePaise,
      totalPaise: d.totalPaise,
      sealLevel: seal.level,
      signer: seal.signer,
      certFingerprint: seal.certFingerprint,
      ownAuthority: seal.ownAuthority || undefined,
      sealNote: seal.note,
      logOrigin: input.logOrigin,
      verifyUrl: input.verifyUrl,
      languages: languages.length > 0 ? languages : undefined,
      law: input.law,
    }),
    people: parties.map((party) => personFacts(party)),
    history: input.auditTrail.map(({ type, subject, ...entry }) =>
      known<EntryFacts>({ ...entry, event: eventOf(type, subject) }),
    ),
  };
}

function personFacts(party: FinalParty): PersonFacts {
  const { approval, noticed } = party;
  return known<PersonFacts>({
    name: party.name,
    charId: party.charId,
    role: party.role,
    approvedAt: approval?.at,
    approvedBy: approval?.by,
    statement: approval?.statementSha256,
    faceSource: party.face.source,
    eyeSource: party.eye.source,
    signMethod: party.signMethod,
    oneImageTwice: noticed?.oneImageTwice,
    sharedImage: noticed?.shared,
    sentBefore: noticed?.sentBefore,
  });
}

/** Returns the facts of a history that is printed without the agreement. */
export const historyFacts = ({ name, code, madeAt, approvals, events }: HistorySheet): PdfFacts => ({
  document: known<DocumentFacts>({
    name,
    code,
    composedAt: madeAt,
    statementAmong: approvals.length > 0 || undefined,
  }),
  people: approvals.map(({ name: person, at, statementSha256 }) =>
    known<PersonFacts>({ name: person, approvedAt: at, statement: statementSha256 }),
  ),
  history: events.map(({ at, actor, action, type, subject, detail, ...proof }) => {
    const evidence = evidenceOf(proof);
    return known<EntryFacts>({
      ...{ at, actor, action, detail },
      event: eventOf(type, subject),
      evidence: evidence.length > 0 ? evidence : undefined,
    });
  }),
});

const evidenceOf = ({
  photos,
  sealedSha256,
}: Pick<HistorySheet['events'][number], 'photos' | 'sealedSha256'>): { of: Key; sha256: string }[] => [
  ...(photos
    ? [
        { of: PHOTO_WORDS.face[photos.profile_pic.source], sha256: photos.profile_pic.sha256 },
        { of: PHOTO_WORDS.eye[photos.eye.source], sha256: photos.eye.sha256 },
        { of: SIGN_WORDS[photos.sign.method], sha256: photos.sign.sha256 },
      ]
    : []),
  ...(sealedSha256 ? [{ of: 'sealedPdf' as const, sha256: sealedSha256 }] : []),
];
