import { errorText } from './error-text.ts';

/** A call that did not succeed. `status` 0 means that no answer came (offline, timed out, blocked). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`API call failed with status ${status}`);
    this.status = status;
    this.body = body;
  }

  /** The stable code of the wire shape `{detail, code}`, when the answer carries one. */
  get code(): string | undefined {
    const code = (this.body as { code?: unknown } | null)?.code;
    return typeof code === 'string' ? code : undefined;
  }
}

/** The toast text of any thrown value, by the rule of spec §8. */
export function toastText(error: unknown, fallback: string): string {
  return error instanceof ApiError ? errorText(error.body, fallback) : fallback;
}
