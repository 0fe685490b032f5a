/** The notes on the certificate for a file that could not be sealed at the configured level. */
import en from './texts/en.json' with { type: 'json' };

const KEYS = ['revocationUnknown', 'noTimestamp'] as const;
type NoteKey = (typeof KEYS)[number];

/** The English notes, as in `SealStatement`; the certificate has them in its other languages. */
export const SEAL_NOTES = Object.fromEntries(KEYS.map((key) => [key, en[key]])) as Record<NoteKey, string>;

/** Returns the key of a statement's note; undefined for another note. */
export const sealNoteOf = (note: string): NoteKey | undefined => KEYS.find((key) => en[key] === note);
