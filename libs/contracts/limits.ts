/** Limits that both the browser and the services enforce (spec §5, §9). */
import { MiB } from './kit.ts';

/** "under 10MB": a government ID image of exactly this size is already too large. */
export const ID_IMAGE_LIMIT = 10 * MiB;
/** A captured photo, a signature or a fingerprint image. */
export const CAPTURE_MAX_BYTES = 10 * MiB;
export const RAW_FILE_MAX_BYTES = 50 * MiB;
export const RAW_FILES_MAX_COUNT = 20;
/** Files that are stored with the sealed PDF. */
export const FINAL_FILES_MAX_COUNT = 10;
export const RAW_FILES_TOTAL_BYTES = 200 * MiB;
/** Characters (not UTF-16 units) of a chat message. */
export const MESSAGE_MAX_CHARS = 4_000;
export const ATTACHMENT_MAX_BYTES = 10 * MiB;
export const TOP_UP_MIN_RUPEES = 1;
export const TOP_UP_MAX_RUPEES = 100_000;
/** The card provider's minimum refund in paise. */
export const REFUND_MIN_PAISE = 100;
export const GOVT_ID_TYPES = ['Aadhar', 'PAN', 'Passport', 'Driving License', 'Voter ID', 'Other'] as const;
/** The product's languages by ISO 639-1 code: English, Hindi, Tamil, Bengali, Marathi, Telugu. */
export const LANGUAGES = ['en', 'hi', 'ta', 'bn', 'mr', 'te'] as const;
export type Language = (typeof LANGUAGES)[number];
/** The ways to invite a person without a known account. */
export const CONTACT_CHANNELS = ['phone', 'email'] as const;
/** The token of an invitation's link: 24 random bytes. */
export const INVITATION_TOKEN = '^[A-Za-z0-9_-]{32}$';
/** The token that stops invitations to a contact: channel, sender, hash of the contact, and a signature. */
export const STOP_TOKEN = '^(phone|email)\\.[0-9a-f-]{36}\\.[A-Za-z0-9_-]{43}\\.[A-Za-z0-9_-]{43}$';
export const OPEN_INVITATIONS_MAX = 20;
/** The largest sealed PDF that can be verified: all raw files, and the pages that Karaar adds. */
export const VERIFY_MAX_BYTES = 240 * MiB;
/** Characters of a static page's title and of its Markdown. */
export const PAGE_TITLE_MAX = 200;
export const PAGE_CONTENT_MAX = 100_000;
export const NOTIFICATIONS_PAGE_MAX = 100;
/** Larger numbers of unread notifications are reported as this number. */
export const UNREAD_MAX = 100;

/** The highest position in a conversation. */
export const SEQ_MAX = 2_147_483_647;

/**
 * An additional pattern for e-mail addresses: rejects quoted local parts, numeric domains and names without a
 * dot, which no public mail service issues, and local parts above 64 characters (RFC 5321 §4.5.3).
 */
export const PLAIN_EMAIL = String.raw`^[^\s"\\()<>\[\],;:@]{1,64}@[^\s"\\()<>\[\],;:@]+\.[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$`;
