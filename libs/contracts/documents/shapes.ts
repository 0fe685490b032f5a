/** The shapes in the documents service's responses. */
import { Type, type Static } from 'typebox';
import { IsoDate, IsoDateTime, nullable, Rupees } from '../kit.ts';
import { LANGUAGES, type Language } from '../limits.ts';
import { SentSms } from '../sms.ts';
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
 * The state of one party (design §3 Parties). `admitted` is involved and verified, can read everything and
 * has not approved: only an action of the party approves.
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

export const NoticeLanguage = Type.Enum([...LANGUAGES]);
export type NoticeLanguage = Language;

/**
 * A hint about a party's images: one file sent for two of them; the same file sent by another party of this
 * document; a photo used before, for another document or by another user; or eyes that differ between the eye
 * photo and the face photo. A hint blocks nothing.
 */
export const PhotoHint = Type.Union([
  Type.Literal('one_image_twice'),
  Type.Literal('shared_image'),
  Type.Literal('same_photo'),
  Type.Literal('similar_photo'),
  Type.Literal('eyes_differ'),
]);
export type PhotoHint = Static<typeof PhotoHint>;

/** How often Karaar sends automatic reminders of a document. */
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

/** The parties have changed since the approval; or the party verified again, which does not approve. */
export const ApproveAgain = Type.Union([Type.Literal('parties_changed'), Type.Literal('verified_again')]);
export type ApproveAgain = Static<typeof ApproveAgain>;

export const Party = Type.Object({
  user_id: Type.String(),
  char_id: Type.String(),
  name: Type.String(),
  /** The name under which the party approved, if it differs. This name is sealed. */
  approved_as: Type.Optional(Type.String()),
  state: PartyState,
  approved: Type.Boolean(),
  verified: Type.Boolean(),
  /** Only in the response for one document: why a party who was asked before must read and approve again. */
  approve_again: Type.Optional(ApproveAgain),
  /** The rejection's reason in the party's own words; null if none was given. */
  reject_reason: Type.Optional(nullable(Type.String())),
  /** When the primary user may remind this party; null if there is nothing to remind of. */
  remindable_at: Type.Optional(nullable(IsoDateTime)),
  /** When this party was last reminded, while the answer is awaited; for the primary user only. */
  reminded_at: Type.Optional(IsoDateTime),
  /**
   * The newest text message to this party and when it reached its state, while the answer is awaited; for the
   * primary user only. Absent if none was sent: the reason is the party's own.
   */
  text_message: Type.Optional(SentSms),
  /**
   * The day by which the creator asks this party to answer, while the answer is awaited; shown to the creator
   * and this party only.
   */
  answer_by: Type.Optional(IsoDate),
  /** How the verification was given; absent before it. */
  evidence: Type.Optional(Evidence),
  /**
   * The face photo of the verification, as a signed link; only in the response for one document, and for the
   * primary user only.
   */
  photo: Type.Optional(Type.String()),
  /** The position of the face on it; absent if not recorded. */
  photo_face: Type.Optional(FaceBox),
  /** For the primary user only. */
  photo_hints: Type.Optional(Type.Array(PhotoHint)),
});

/** SHA-256 in lower-case hex. */
export const Sha256Hex = Type.String({ pattern: '^[0-9a-f]{64}$' });

const Approval = Type.Object({
  approved: Type.Boolean(),
  approved_at: nullable(IsoDateTime),
  is_primary: Type.Boolean(),
});

/** The steps of the finalization job, in order. */
export const FINALIZATION_STEPS = ['files', 'pages', 'assembling', 'sealing', 'storing'] as const;
export type FinalizationStep = (typeof FINALIZATION_STEPS)[number];

/** The progress of a running finalization. A second attempt begins at the first step again. */
export const FinalizationProgress = Type.Object({
  step: Type.Enum([...FINALIZATION_STEPS]),
  /** Number of raw files whose pages are ready; 0 of 0 in the other steps. */
  done: Type.Integer({ minimum: 0 }),
  total: Type.Integer({ minimum: 0 }),
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
  /** Incremented by every progress of the document; a smaller number is older. */
  no: Type.Integer(),
});
export type FinalizationProgress = Static<typeof FinalizationProgress>;

/** The durable finalization job; null if none was started. */
export const Finalization = Type.Object({
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  detail: nullable(Type.String()),
  /** For a running job that has begun. */
  progress: Type.Optional(nullable(FinalizationProgress)),
  /** For a failed job: a stable code, and the name of the faulty file if there is one. */
  code: Type.Optional(nullable(Type.String())),
  file: Type.Optional(nullable(Type.String())),
});
export type Finalization = Static<typeof Finalization>;

/**
 * Why a page is stored as a picture of how viewers show it: a copy would lack something on it, or would look
 * different.
 */
export const PictureReason = Type.Union([Type.Literal('missing'), Type.Literal('different')]);
export type PictureReason = Static<typeof PictureReason>;

/** A part of an upload that its sealed pages cannot contain. */
export const LeftOut = Type.Union([
  /** Digital signatures; their pictures stay on the pages. */
  Type.Literal('signatures'),
  /** Scripts, calculations of forms, and buttons that send data or start programs. */
  Type.Literal('scripts'),
  /** Form data that only Adobe software reads, in addition to the pages that all viewers show. */
  Type.Literal('xfa'),
  /** Hidden text, hidden layers, and content that is visible in print only. */
  Type.Literal('hidden'),
  /** The text of comments that opens next to a page. */
  Type.Literal('comments'),
  /** Film, sound and 3D models; their still pictures stay. */
  Type.Literal('media'),
  /** Embedded files of other programs in a Word file; their pictures stay. */
  Type.Literal('objects'),
  /** Content that a Word file only links to: a picture on the sender's disk, the text of another file. */
  Type.Literal('linked'),
  /** All pictures of an animation but the first. */
  Type.Literal('frames'),
  /** Values of form fields that the drawings of the fields do not show, or not in full. */
  Type.Literal('values'),
  /** Formulas of a Word file, which the converter cannot draw. */
  Type.Literal('formulas'),
]);
export type LeftOut = Static<typeof LeftOut>;

export const RawFile = Type.Object({
  file_id: Type.String(),
  name: Type.String(),
  mime: Type.String(),
  size: Type.Integer(),
  sha256: Type.String(),
  path: Type.String(),
  pages: Type.Integer(),
  /** A small JPEG of the first page. */
  thumbnail: Type.String(),
  /** Its pages as they will be sealed, as a PDF: parties read this before they approve. */
  preview: Type.String(),
  /** SHA-256 of that PDF; an approval is bound to it. */
  preview_sha256: Sha256Hex,
  /** Pages, from 1, that it contains as pictures, because a copy of their content would look different. */
  pictures: Type.Array(Type.Integer({ minimum: 1 })),
  /** The reason for each entry of `pictures`, in order. */
  picture_reasons: Type.Array(PictureReason),
  /** When the creator accepted that; null if there is nothing to accept. */
  pictures_accepted_at: nullable(IsoDateTime),
  /** Parts of the file that its sealed pages do not contain. */
  left_out: Type.Array(LeftOut),
  /** When the creator accepted that; null if there is nothing to accept. */
  left_out_accepted_at: nullable(IsoDateTime),
});
export type RawFile = Static<typeof RawFile>;

/** One of the final documents. */
export const FinalFile = Type.Object({
  name: Type.String(),
  path: Type.String(),
  /**
   * True for the sealed PDF; false for a file that the creator added when finalizing, which the seal does not
   * cover.
   */
  sealed: Type.Boolean(),
});
export type FinalFile = Static<typeof FinalFile>;

/** The cancellation of a document that was sent: nothing about the document changes any more. */
export const Cancellation = Type.Object({
  at: IsoDateTime,
  by_name: Type.String(),
  /** In the creator's own words; null after they were erased with the creator's account. */
  reason: nullable(Type.String()),
  /**
   * Set if Karaar cancelled it, because this person had not answered by their date; empty for an invited person
   * without an account.
   */
  late_name: Type.Optional(Type.String()),
});
export type Cancellation = Static<typeof Cancellation>;

/** A document as shown to an involved user. File paths are signed for the caller. */
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
  /** The file of each path in `final_docs`, in the same order. */
  final_files: Type.Array(FinalFile),
  /** The file of each path in `upload_raw_docs`, in the same order. */
  raw_files: Type.Array(RawFile),
  primary_user: Type.String(),
  primary_user_name: Type.String(),
  /** The caller's own labels. */
  labels: Type.Optional(Type.Array(Type.String())),
  /** If the document was cancelled; its status is then `rejected`. */
  cancelled: Type.Optional(Cancellation),
  involved_users: Type.Array(Type.String()),
  user_approvals: Type.Record(Type.String(), Approval),
  parties: Type.Array(Party),
  /** How often Karaar sends automatic reminders; for the creator only. */
  reminders: Type.Optional(ReminderRhythm),
  /** True if Karaar cancels the document after an answer-by date that passes without the answer. */
  cancel_late: Type.Optional(Type.Boolean()),
  /** Open invitations to a number or address: the document waits for an answer to each. */
  open_invitations: Type.Optional(Type.Array(OpenInvitation)),
  total_amount: Rupees,
  duration_days: Type.Integer(),
  finalization: nullable(Finalization),
  /** Incremented by every change; a response or push with a smaller version is older. */
  version: Type.Optional(Type.Integer()),
  /**
   * Only in the response for one document: the hash of exactly these files, pages and terms (`contentHash` of
   * `@karaar/proof`). An approval sends it to state which content was read; an approval of another content is
   * rejected.
   */
  content_hash: Type.Optional(Sha256Hex),
  /** Hash of the parties' identities; an approval with an outdated one is rejected. */
  parties_hash: Type.Optional(Sha256Hex),
  /** For a draft only: the 8-character ID that its owner has entered, to be invited after submitting. */
  target_user_char_id: Type.Optional(Type.String()),
  /** For a draft only: incremented by each change of its content; an update names it in `If-Match`. */
  content_version: Type.Optional(Type.Integer()),
});
export type Document = Static<typeof Document>;

/** A document as shown to any other user: enough for the Join button (design §3 Who sees what). */
export const DocumentStub = Type.Object({
  _id: Type.String(),
  document_id: Type.String(),
  name: Type.String(),
  status: DocumentStatus,
  primary_user_name: Type.String(),
});

export type DocumentStub = Static<typeof DocumentStub>;

/** One entry of a document's append-only history. */
export const DocumentEvent = Type.Object({
  _id: Type.String(),
  type: Type.String(),
  actor_id: nullable(Type.String()),
  actor_name: Type.String(),
  at: IsoDateTime,
  detail: Type.String(),
  /** The affected user, if not the actor. */
  subject_id: nullable(Type.String()),
  subject_name: nullable(Type.String()),
  status_from: nullable(DocumentStatus),
  status_to: DocumentStatus,
  /** SHA-256 over the exact files at that moment. */
  files_sha256: Type.String(),
  /** Browser, operating system, and IP address without its last part. */
  from_device: nullable(Type.String()),
  from_address: nullable(Type.String()),
  /** The reason of a rejection or withdrawal, in the party's own words. */
  reason: Type.Optional(Type.String()),
  /** For a verification: hashes of its photos and signature, and their sources. */
  photos: Type.Optional(PhotosRecord),
});
export type DocumentEvent = Static<typeof DocumentEvent>;

/** The dashboard's counts of all of the caller's documents, by status. */
export const DocumentCounts = Type.Object({
  total: Type.Integer(),
  draft: Type.Integer(),
  pending: Type.Integer(),
  pending_approval: Type.Integer(),
  approved: Type.Integer(),
  finalized: Type.Integer(),
  rejected: Type.Integer(),
  /** Archived documents; the counts above omit them. */
  archived: Type.Integer(),
  /** Invitations that the caller has not answered. */
  pending_agreements: Type.Integer(),
  /** The caller's own labels, if there are any. */
  labels: Type.Optional(Type.Array(Type.String())),
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
