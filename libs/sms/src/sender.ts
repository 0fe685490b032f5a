import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request, type Dispatcher } from 'undici';
import { neverLeft } from '@karaar/base/errors';
import type { Logger } from '@karaar/observability/logging';
import { createAdapter, type ProviderAnswer, type ProviderRequest } from './adapters.ts';
import type { SmsOptions } from './config.ts';
import type { TextMessage } from './message.ts';
import { SmsError } from './outcome.ts';
import { textIdIn, type NoteReport } from './reports.ts';

export type SmsSender = {
  /**
   * Resolves once the provider has accepted the message; throws SmsError (503) if it has not or the outcome
   * is unknown.
   */
  send: (message: TextMessage) => Promise<void>;
  /**
   * Checks whether the provider has accepted a message since a moment, after its sender died or the outcome
   * was unknown. Returns `unknown` if the provider has no such request; throws SmsError if it does not
   * answer.
   */
  find: (message: TextMessage, since: Date) => Promise<'taken' | 'not-taken' | 'unknown'>;
  close: () => Promise<void>;
};

const ATTEMPTS = 3;
/** Maximum pause here: a user is waiting, so the caller handles longer ones. */
const LONGEST_PAUSE_MS = 2_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Returns a sender for the configured provider, with a deadline per attempt. A message that was certainly not
 * accepted is retried; one with an unknown outcome only if it is `repeatable`. A number that the provider refuses
 * is noted like a report about a text that did not arrive.
 */
export function createSmsSender(
  options: SmsOptions,
  logger: Logger,
  { pauseMs: firstPauseMs = 200, note }: { pauseMs?: number; note?: NoteReport } = {},
): SmsSender {
  const adapter = createAdapter(options);
  const dispatcher = new Agent({
    connect: { timeout: Math.max(50, Math.floor(options.timeoutMs * 0.6)) },
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    maxResponseSize: MAX_ANSWER_BYTES,
  });

  async function attempt(message: TextMessage): Promise<void> {
    const answer = await post(dispatcher, adapter.request(message), options.timeoutMs);
    adapter.read(answer);
  }

  return {
    send: async (message) => {
      for (let n = 1; ; n += 1) {
        try {
          return await attempt(message);
        } catch (error) {
          const failure = toSmsError(error);
          const { outcome, providerStatus } = failure;
          const pauseMs = failure.retryAfterS ? failure.retryAfterS * 1_000 : firstPauseMs * 2 ** (n - 1);
          const again =
            n < ATTEMPTS &&
            pauseMs <= LONGEST_PAUSE_MS &&
            (outcome === 'not-sent' || (outcome === 'unknown' && message.repeatable));
          logger.warn(
            { provider: options.provider, template: message.template, outcome, providerStatus, attempt: n },
            again ? 'text message not taken; trying again' : 'text message not taken',
          );
          if (!again) {
            const id = textIdIn(message.statusUrl ?? '');
            if (failure.refusal && id) await note?.(id, failure.refusal);
            throw failure;
          }
          await sleep(pauseMs);
        }
      }
    },
    find: async (message, since) => {
      const { search } = adapter;
      if (!search) return 'unknown';
      try {
        const answer = await post(dispatcher, search.request(message), options.timeoutMs);
        return search.found(answer, message, since) ? 'taken' : 'not-taken';
      } catch (error) {
        // A failed look-up leaves the outcome unknown.
        throw new SmsError('unknown', { cause: error });
      }
    },
    close: () => dispatcher.destroy(),
  };
}

async function post(
  dispatcher: Dispatcher,
  { method, url, headers, body }: ProviderRequest,
  timeoutMs: number,
): Promise<ProviderAnswer> {
  const answer = await request(url, {
    dispatcher,
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(timeoutMs),
    // A kept connection could be closed just then, and the outcome would be unknown.
    reset: true,
  });
  const retryAfter = Number(answer.headers['retry-after']);
  return {
    status: answer.statusCode,
    retryAfterS: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined,
    body: await answer.body.text(),
  };
}

function toSmsError(error: unknown): SmsError {
  if (error instanceof SmsError) return error;
  return new SmsError(neverLeft(error) ? 'not-sent' : 'unknown', { cause: error });
}
