/** What the certificate says of a file that could not be sealed at the level that is set. */
import en from './texts/en.json' with { type: 'json' };

const KEYS = ['revocationUnknown', 'noTimestamp'] as const;
type NoteKey = (typeof KEYS)[number];

/** In English, as a `SealStatement` has it; the certificate knows them in its other languages. */
export const SEAL_NOTES = Object.fromEntries(KEYS.map((key) => [key, en[key]])) as Record<NoteKey, string>;

/** Which of them a statement's note is; undefined for another. */
export const sealNoteOf = (note: string): NoteKey | undefined => KEYS.find((key) => en[key] === note);
