/** Limits that the browser and the services both hold (spec §5, §9). */
import { MiB } from './kit.ts';

/** "under 10MB": a government ID image of exactly this many bytes is already too large. */
export const ID_IMAGE_LIMIT = 10 * MiB;
/** A captured photo, a signature or a fingerprint image. */
export const CAPTURE_MAX_BYTES = 10 * MiB;
export const RAW_FILE_MAX_BYTES = 50 * MiB;
export const RAW_FILES_MAX_COUNT = 20;
/** Files that are kept beside the sealed PDF. */
export const FINAL_FILES_MAX_COUNT = 10;
export const RAW_FILES_TOTAL_BYTES = 200 * MiB;
/** Characters (not UTF-16 units) of a chat message. */
export const MESSAGE_MAX_CHARS = 4_000;
/** A file sent with a chat message. */
export const ATTACHMENT_MAX_BYTES = 10 * MiB;
export const TOP_UP_MIN_RUPEES = 1;
export const TOP_UP_MAX_RUPEES = 100_000;
export const GOVT_ID_TYPES = ['Aadhar', 'PAN', 'Passport', 'Driving License', 'Voter ID', 'Other'] as const;
/** The languages of the product by their ISO 639-1 codes: English, Hindi, Tamil, Bengali, Marathi, Telugu. */
export const LANGUAGES = ['en', 'hi', 'ta', 'bn', 'mr', 'te'] as const;
export type Language = (typeof LANGUAGES)[number];
/** A sealed PDF that is given to be verified: all raw files, and pages of our own. */
export const VERIFY_MAX_BYTES = 240 * MiB;
/** Characters of a static page's title and of its Markdown. */
export const PAGE_TITLE_MAX = 200;
export const PAGE_CONTENT_MAX = 100_000;
