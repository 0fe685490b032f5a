import { activeLanguage } from '@karaar/i18n';
import { errorText } from './error-text.ts';
import { wordsOfAnswer } from './errors/words.ts';

/** A failed request. `status` 0 means that there was no response (offline, timed out, blocked). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: unknown;
  /** Seconds after which the server asks for a retry; undefined without such a header. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, body: unknown, retryAfter?: string | null) {
    super(`API call failed with status ${status}`);
    this.status = status;
    this.body = body;
    this.retryAfterS = Number(retryAfter) || undefined;
  }

  /** The stable code of the error format `{detail, code}`, if the response has one. */
  get code(): string | undefined {
    const code = (this.body as { code?: unknown } | null)?.code;
    return typeof code === 'string' ? code : undefined;
  }
}

/**
 * Returns the toast text of any thrown value: by the rule of spec §8 for readers of English; for others the
 * code's text in their language, if there is one.
 * @param fallback the default text of the request, in the reader's language
 */
export function toastText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  return wordsOfAnswer(error.body) ?? errorText(error.body, fallback);
}

/**
 * Returns the text of a success: the server's for readers of English, the screen's for others.
 * @param own the screen's text
 */
export function answerText(message: string | undefined, own: string): string {
  return (activeLanguage() === 'en' && message?.trim()) || own;
}
