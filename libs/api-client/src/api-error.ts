import { activeLanguage } from '@karaar/i18n';
import { errorText } from './error-text.ts';
import { wordsOfAnswer } from './errors/words.ts';

/** A call that did not succeed. `status` 0 means that no answer came (offline, timed out, blocked). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: unknown;
  /** Seconds after which the server asks to be asked again; undefined when it does not say. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, body: unknown, retryAfter?: string | null) {
    super(`API call failed with status ${status}`);
    this.status = status;
    this.body = body;
    this.retryAfterS = Number(retryAfter) || undefined;
  }

  /** The stable code of the wire shape `{detail, code}`, when the answer carries one. */
  get code(): string | undefined {
    const code = (this.body as { code?: unknown } | null)?.code;
    return typeof code === 'string' ? code : undefined;
  }
}

/**
 * The toast text of any thrown value: by the rule of spec §8 for readers of English; for others the code of the answer in
 * their language, where it has words.
 * @param fallback the call's default text, in the reader's language
 */
export function toastText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  return wordsOfAnswer(error.body) ?? errorText(error.body, fallback);
}

/**
 * The text of a success that the server words: its own for readers of English, the screen's for others.
 * @param own what the screen says of it
 */
export function answerText(message: string | undefined, own: string): string {
  return (activeLanguage() === 'en' && message?.trim()) || own;
}
