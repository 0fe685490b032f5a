/** What the documents service's answers are made of. */
import { Type, type Static } from 'typebox';
import { IsoDate, IsoDateTime, nullable, Rupees } from '../kit.ts';
import { LANGUAGES, type Language } from '../limits.ts';
import { Evidence, PhotosRecord } from './captures.ts';
import { OpenInvitation } from './open-invitation.ts';
import { DOCUMENT_STATUSES } from './status.ts';

export const DocumentStatus = Type.Enum([...DOCUMENT_STATUSES]);
export type DocumentStatus = Static<typeof DocumentStatus>;

export const PageDetail = Type.Object({
  page_no: Type.Integer({ minimum: 1 }),
  description: Type.String({ maxLength: 500 }),
});

/**
 * How far one party is (design §3 Parties). `admitted` is involved and verified, can read everything and has not
 * approved: nobody is approved but by an act of their own.
 */
export const PartyState = Type.Union([
  Type.Literal('primary'),
  Type.Literal('invited'),
  Type.Literal('requested'),
  Type.Literal('admitted'),
  Type.Literal('approved'),
  Type.Literal('rejected'),
]);
export type PartyState = Static<typeof PartyState>;

/** The languages in which a party can be written to. */
export const NoticeLanguage = Type.Enum([...LANGUAGES]);
export type NoticeLanguage = Language;

/**
 * What was noticed about a party's images: one file sent as two of them; the same file as another party of this document
 * sent; a photo sent before, for another document or by another user; or that the eye photo looks unlike the eyes on the
 * face photo. It hinders nobody.
 */
export const PhotoHint = Type.Union([
  Type.Literal('one_image_twice'),
  Type.Literal('shared_image'),
  Type.Literal('same_photo'),
  Type.Literal('similar_photo'),
  Type.Literal('eyes_differ'),
]);
export type PhotoHint = Static<typeof PhotoHint>;

/** How often Karaar reminds by itself of a document: never, once, or as usual. */
export const REMINDER_RHYTHMS = ['off', 'gentle', 'usual'] as const;
export type ReminderRhythm = (typeof REMINDER_RHYTHMS)[number];
export const ReminderRhythm = Type.Enum([...REMINDER_RHYTHMS]);

/** A face on an upright photo, in fractions of the photo's width and height. */
export const FaceBox = Type.Object({
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
});
export type FaceBox = Static<typeof FaceBox>;

/** The parties have changed since the approval; or the party verified again, which approves nothing. */
export const ApproveAgain = Type.Union([Type.Literal('parties_changed'), Type.Literal('verified_again')]);
export type ApproveAgain = Static<typeof ApproveAgain>;

export const Party = Type.Object({
  user_id: Type.String(),
  char_id: Type.String(),
  name: Type.String(),
  /** The name under which the party approved, where it is another one. This name is sealed. */
  approved_as: Type.Optional(Type.String()),
  state: PartyState,
  approved: Type.Boolean(),
  verified: Type.Boolean(),
  /** Of one document: why this party, who was asked before, reads and approves again. */
  approve_again: Type.Optional(ApproveAgain),
  /** Of a party who rejected, in that party's own words; null where none were given. */
  reject_reason: Type.Optional(nullable(Type.String())),
  /** When the primary user may remind this party; null when there is nothing to remind of. */
  remindable_at: Type.Optional(nullable(IsoDateTime)),
  /** The day by which the creator asks this party to answer, while the answer is awaited; to the creator and to this party only. */
  answer_by: Type.Optional(IsoDate),
  /** How the verification was given, once there is one. */
  evidence: Type.Optional(Evidence),
  /** The face photo of the verification; of one document, to the primary user only. A link, as those of files. */
  photo: Type.Optional(Type.String()),
  /** Where the face is on it; absent where that is not on record. */
  photo_face: Type.Optional(FaceBox),
  /** To the primary user only. */
  photo_hints: Type.Optional(Type.Array(PhotoHint)),
});

/** SHA-256 in lower-case hex. */
export const Sha256Hex = Type.String({ pattern: '^[0-9a-f]{64}$' });

const Approval = Type.Object({
  approved: Type.Boolean(),
  approved_at: nullable(IsoDateTime),
  is_primary: Type.Boolean(),
});

/** What the finalization job does, in this order. */
export const FINALIZATION_STEPS = ['files', 'pages', 'assembling', 'sealing', 'storing'] as const;
export type FinalizationStep = (typeof FINALIZATION_STEPS)[number];

/** How far a running finalization is. A second attempt begins at the first step again. */
export const FinalizationProgress = Type.Object({
  step: Type.Enum([...FINALIZATION_STEPS]),
  /** Of the raw files, those that are ready as pages; 0 and 0 in the other steps. */
  done: Type.Integer({ minimum: 0 }),
  total: Type.Integer({ minimum: 0 }),
  /** Of the whole job. */
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
  /** Grows with every progress of the document: one with a smaller number is older. */
  no: Type.Integer(),
});
export type FinalizationProgress = Static<typeof FinalizationProgress>;

/** The durable finalization job; null when none was started. */
export const Finalization = Type.Object({
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  detail: nullable(Type.String()),
  /** Of a running one, once it has begun. */
  progress: Type.Optional(nullable(FinalizationProgress)),
  /** Of a failed one: a stable code, and the name of the file at fault where it is one. */
  code: Type.Optional(nullable(Type.String())),
  file: Type.Optional(nullable(Type.String())),
});
export type Finalization = Static<typeof Finalization>;

/**
 * Why a page is kept as a picture of how viewers show it: something on it would be missing in our copy, or the copy would
 * look different.
 */
export const PictureReason = Type.Union([Type.Literal('missing'), Type.Literal('different')]);
export type PictureReason = Static<typeof PictureReason>;

/** A part of an upload that its sealed pages cannot hold. */
export const LeftOut = Type.Union([
  /** Digital signatures; their pictures stay on the pages. */
  Type.Literal('signatures'),
  /** Scripts, calculations of forms, and buttons that send data or start programs. */
  Type.Literal('scripts'),
  /** The form data that Adobe software alone reads, beside the pages that all viewers show. */
  Type.Literal('xfa'),
  /** Hidden text, hidden layers, and what shows in print only. */
  Type.Literal('hidden'),
  /** The text of comments that opens beside a page. */
  Type.Literal('comments'),
  /** Film, sound and 3D models; their still pictures stay. */
  Type.Literal('media'),
  /** Files of other programs within a Word file; their pictures stay. */
  Type.Literal('objects'),
  /** What a Word file only refers to: a picture on the sender's disk, the text of another file. */
  Type.Literal('linked'),
  /** All pictures of an animation but the first. */
  Type.Literal('frames'),
]);
export type LeftOut = Static<typeof LeftOut>;

/** One uploaded file. */
export const RawFile = Type.Object({
  file_id: Type.String(),
  name: Type.String(),
  mime: Type.String(),
  size: Type.Integer(),
  sha256: Type.String(),
  path: Type.String(),
  pages: nullable(Type.Integer()),
  /** A small JPEG of the first page. */
  thumbnail: nullable(Type.String()),
  /** Its pages as they will be sealed, as a PDF: what parties read before they approve. */
  preview: nullable(Type.String()),
  /** SHA-256 of that PDF: an approval binds it. */
  preview_sha256: Type.Optional(nullable(Sha256Hex)),
  /** Pages, from 1, that are in it as pictures, because their content could not be kept as it looks. */
  pictures: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }))),
  /** Why, of each of `pictures` in their order. */
  picture_reasons: Type.Optional(Type.Array(PictureReason)),
  /** When the creator accepted that; null where there is nothing to accept. */
  pictures_accepted_at: Type.Optional(nullable(IsoDateTime)),
  /** Parts of the file that its sealed pages do not hold. */
  left_out: Type.Optional(Type.Array(LeftOut)),
  /** When the creator accepted that; null where there is nothing to accept. */
  left_out_accepted_at: Type.Optional(nullable(IsoDateTime)),
});
export type RawFile = Static<typeof RawFile>;

/** One of the final documents. */
export const FinalFile = Type.Object({
  name: Type.String(),
  path: Type.String(),
  /** The sealed PDF; else a file that the creator added when finalizing, which the seal says nothing of. */
  sealed: Type.Boolean(),
});
export type FinalFile = Static<typeof FinalFile>;

/** A document as an involved user sees it. File paths are signed for the caller. */
export const Document = Type.Object({
  _id: Type.String(),
  document_id: Type.String(),
  name: Type.String(),
  document_code: Type.String(),
  status: DocumentStatus,
  blockchain: Type.Boolean(),
  location: nullable(Type.String()),
  start_date: nullable(Type.String()),
  end_date: nullable(Type.String()),
  created_at: IsoDateTime,
  description: nullable(Type.String()),
  page_details: Type.Array(PageDetail),
  upload_raw_docs: Type.Array(Type.String()),
  /** Empty until the document is finalized; the sealed PDF comes first. */
  final_docs: Type.Array(Type.String()),
  /** What is behind each path of `final_docs`, in the same order. */
  final_files: Type.Array(FinalFile),
  /** What is behind each path of `upload_raw_docs`, in the same order. */
  raw_files: Type.Array(RawFile),
  primary_user: Type.String(),
  primary_user_name: Type.String(),
  involved_users: Type.Array(Type.String()),
  user_approvals: Type.Record(Type.String(), Approval),
  parties: Type.Array(Party),
  /** How often Karaar reminds by itself; to the creator only. */
  reminders: Type.Optional(ReminderRhythm),
  /** Invitations to a number or an address that nobody has accepted: each is an answer that the document waits for. */
  open_invitations: Type.Optional(Type.Array(OpenInvitation)),
  total_amount: Rupees,
  duration_days: Type.Integer(),
  finalization: nullable(Finalization),
  /** Grows with every change; an answer or push with a smaller one is older. */
  version: Type.Optional(Type.Integer()),
  /**
   * Of one document, not of lists: the hash of exactly these files, pages and terms (`contentHash` of `@karaar/proof`).
   * Sent along with an approval it says what was read; an approval of anything else is refused.
   */
  content_hash: Type.Optional(Sha256Hex),
  /** Hash of who the parties are; an approval with an outdated one is refused. */
  parties_hash: Type.Optional(Sha256Hex),
  /** Of a draft only: the 8-character ID that its owner has entered, to be invited after submitting. */
  target_user_char_id: Type.Optional(Type.String()),
});
export type Document = Static<typeof Document>;

/** What anybody else sees: enough for the Join button (design §3 Who sees what). */
export const DocumentStub = Type.Object({
  _id: Type.String(),
  document_id: Type.String(),
  name: Type.String(),
  status: DocumentStatus,
  primary_user_name: Type.String(),
});

export type DocumentStub = Static<typeof DocumentStub>;

/** One line of a document's append-only history. */
export const DocumentEvent = Type.Object({
  _id: Type.String(),
  type: Type.String(),
  actor_id: nullable(Type.String()),
  actor_name: Type.String(),
  at: IsoDateTime,
  detail: Type.String(),
  /** The user whom the entry is about, when that is not the actor. */
  subject_id: nullable(Type.String()),
  subject_name: nullable(Type.String()),
  status_from: nullable(DocumentStatus),
  status_to: DocumentStatus,
  /** SHA-256 over the exact files at that moment. */
  files_sha256: Type.String(),
  /** From where: kind of browser and system, and the address without its last part. */
  from_device: nullable(Type.String()),
  from_address: nullable(Type.String()),
  /** Of a party who rejected or withdrew, in that party's own words. */
  reason: Type.Optional(Type.String()),
  /** Of a verification: hashes of its photos and signature, and how they came about. */
  photos: Type.Optional(PhotosRecord),
});
export type DocumentEvent = Static<typeof DocumentEvent>;

/** What the dashboard counts: all of the caller's documents, by status. */
export const DocumentCounts = Type.Object({
  total: Type.Integer(),
  draft: Type.Integer(),
  pending: Type.Integer(),
  pending_approval: Type.Integer(),
  approved: Type.Integer(),
  finalized: Type.Integer(),
  rejected: Type.Integer(),
  /** Invitations that the caller has not answered. */
  pending_agreements: Type.Integer(),
});
export type DocumentCounts = Static<typeof DocumentCounts>;

export const DocumentSort = Type.Union([
  Type.Literal('newest'),
  Type.Literal('oldest'),
  Type.Literal('changed'),
  Type.Literal('name'),
  Type.Literal('-name'),
]);
export type DocumentSort = Static<typeof DocumentSort>;
