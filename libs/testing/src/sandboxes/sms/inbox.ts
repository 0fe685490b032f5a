/** A text as on the phone. */
export interface Sms {
  /** `+` and digits. */
  phone_no: string;
  text: string;
  /** The one-time code in the text; null for a text without a code. */
  code: string | null;
  /** ISO 8601. */
  sent_at: string;
}

const MAX_TEXTS = 1_000;

/**
 * Returns `+91` and ten digits from the usual spellings: with or without +91, spaces or dashes, or with `+`
 * lost in a query.
 */
export function normalisePhone(text: string): string {
  const digits = text.replace(/\D/g, '').replace(/^0+(?=\d{10}$)/, '');
  return `+${digits.length === 10 ? `91${digits}` : digits}`;
}

/**
 * Returns the 6-character code of a text: the word after "code" or "OTP", else a word of capitals and digits.
 */
export function codeIn(text: string): string | null {
  const named = /\b(?:code|Code|CODE|otp|Otp|OTP)\b[^A-Z0-9]{0,20}([A-Z0-9]{6})\b/.exec(text);
  const mixed = /\b(?=[A-Z]*\d)[A-Z0-9]{6}\b/.exec(text);
  const capitals = /\b[A-Z]{6}\b/.exec(text);
  return named?.[1] ?? mixed?.[0] ?? capitals?.[0] ?? null;
}

/** The texts of all phones, kept in memory only: one-time codes must not be written to disk. */
export class Inbox {
  #texts: Sms[] = [];

  receive(to: string, text: string): Sms {
    const sms = { phone_no: normalisePhone(to), text, code: codeIn(text), sent_at: new Date().toISOString() };
    this.#texts = [sms, ...this.#texts].slice(0, MAX_TEXTS);
    return sms;
  }

  /** Newest first. */
  list(phone?: string): Sms[] {
    if (phone === undefined) return this.#texts;
    const normalised = normalisePhone(phone);
    return this.#texts.filter((sms) => sms.phone_no === normalised);
  }
}
