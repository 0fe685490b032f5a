/**
 * What the pages of the final PDF are told: flat facts, each absent when the record does not have it. The sentences name
 * the facts that they need (sentences.ts); nothing else of the record reaches a page.
 */
import type { LeftOut, PhotoSource, SignMethod } from '@karaar/contracts/documents/http';
import type { FinalParty, FinalPdfInput, RawFileKind, SealStatement } from '../types.ts';
import { eventOf, type EventFact } from './event-words.ts';
import { isTranslated, type Translated } from './words.ts';

/** Of the document, its approvals taken together, and its seal. */
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
  /** How many people there are, how many approved by an act of their own, and for how many the creator did. */
  people?: number;
  ownApprovals?: number;
  creatorApprovals?: number;
  /** A photo that the server's own capture record names; one whose source only a form states, or a method. */
  liveAmong?: true;
  statedAmong?: true;
  statementAmong?: true;
  days?: number;
  /** Paise. */
  dailyRatePaise?: number;
  totalPaise?: number;
  sealLevel?: SealStatement['level'];
  signer?: string;
  certFingerprint?: string;
  sealNote?: string;
  logOrigin?: string;
  verifyUrl?: string;
  /** In which the certificate is printed once more. */
  languages?: readonly Translated[];
}

export interface PersonFacts {
  name?: string;
  charId?: string;
  role?: 'primary' | 'party';
  /** When this person approved, by an act of the person's own; ISO 8601. */
  approvedAt?: string;
  /** By a passkey of the person's own, or by session and capture. */
  approvedBy?: 'key' | 'session';
  /** When the creator approved this person instead, and who that is. */
  creatorApprovedAt?: string;
  creatorName?: string;
  /** Hex SHA-256. */
  statement?: string;
  faceSource?: PhotoSource;
  eyeSource?: PhotoSource;
  signMethod?: SignMethod;
  oneImageTwice?: true;
  sharedImage?: true;
  sentBefore?: true;
}

/** What one input is: a file of this kind, its pages, a photo, a signature, or the statement of an approval. */
export interface InputFacts {
  file?: RawFileKind;
  /** The pages that were made of a file when it was uploaded, and read. */
  pages?: true;
  /** Those that stand as pictures; who accepted that, and when (ISO 8601). */
  picturePages?: readonly number[];
  acceptedBy?: string;
  acceptedAt?: string;
  /** Parts of a file that its pages do not hold; when the same person accepted that (ISO 8601). */
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
  /** What `action` says, where other languages have words for it. */
  event?: EventFact;
  detail?: string;
}

export interface PdfFacts {
  document: DocumentFacts;
  people: PersonFacts[];
  history: EntryFacts[];
}

/** The languages of the certificate's translations: each once. A language that this build does not know is left out. */
export const languagesOf = ({ languages = [] }: Pick<FinalPdfInput, 'languages'>): Translated[] => [
  ...new Set(languages.filter(isTranslated)),
];

/** Leaves out what is null, undefined or empty: absent is the only form of not known. */
function known<T extends object>(facts: { [K in keyof T]: T[K] | null | undefined }): T {
  const entries = Object.entries(facts).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  return Object.fromEntries(entries) as T;
}

export function factsOf(input: FinalPdfInput): PdfFacts {
  const { document: d, parties, seal } = input;
  const approvals = (basis: 'own' | 'creator'): number =>
    parties.filter(({ approval }) => approval?.basis === basis).length;
  const photos = parties.flatMap(({ face, eye }) => [face.source, eye.source]);
  const stated = photos.includes('device') || parties.some(({ signMethod }) => signMethod !== 'unstated');
  const creator = parties.find(({ role }) => role === 'primary');
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
      ownApprovals: approvals('own') || undefined,
      creatorApprovals: approvals('creator') || undefined,
      liveAmong: photos.includes('live') || undefined,
      statedAmong: stated || undefined,
      statementAmong: parties.some(({ approval }) => approval?.statementSha256) ? true : undefined,
      days: d.days,
      dailyRatePaise: d.dailyRatePaise,
      totalPaise: d.totalPaise,
      sealLevel: seal.level,
      signer: seal.signer,
      certFingerprint: seal.certFingerprint,
      sealNote: seal.note,
      logOrigin: input.logOrigin,
      verifyUrl: input.verifyUrl,
      languages: languages.length > 0 ? languages : undefined,
    }),
    people: parties.map((party) => personFacts(party, creator?.name)),
    history: input.auditTrail.map(({ type, subject, ...entry }) =>
      known<EntryFacts>({ ...entry, event: eventOf(type, subject) }),
    ),
  };
}

function personFacts(party: FinalParty, creator: string | undefined): PersonFacts {
  const { approval, noticed } = party;
  return known<PersonFacts>({
    name: party.name,
    charId: party.charId,
    role: party.role,
    approvedAt: approval?.basis === 'own' ? approval.at : undefined,
    approvedBy: approval?.basis === 'own' ? approval.by : undefined,
    creatorApprovedAt: approval?.basis === 'creator' ? approval.at : undefined,
    creatorName: approval?.basis === 'creator' ? creator : undefined,
    statement: approval?.statementSha256,
    faceSource: party.face.source,
    eyeSource: party.eye.source,
    signMethod: party.signMethod,
    oneImageTwice: noticed?.oneImageTwice,
    sharedImage: noticed?.shared,
    sentBefore: noticed?.sentBefore,
  });
}
