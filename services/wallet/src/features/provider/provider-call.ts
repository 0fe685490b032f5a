import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { AppError, unavailable } from '@karaar/base/errors';
import type Razorpay from 'razorpay';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** The SDK's HTTP client, which the SDK does not declare, but whose limits and connections must be set. */
export type Transport = {
  defaults: { baseURL: string; timeout: number; httpAgent?: HttpAgent; httpsAgent?: HttpsAgent };
  get: (path: string, options: { params: Record<string, number> }) => Promise<{ data: unknown }>;
  post: (
    path: string,
    body: unknown,
    options: { headers: Record<string, string> },
  ) => Promise<{ data: unknown }>;
};

// The SDK does not declare its HTTP client.
export const transportOf = (sdk: Razorpay): Transport =>
  (sdk as unknown as { api: { rq: Transport } }).api.rq;

const notAvailable = (cause: unknown) =>
  unavailable(
    'card_provider_unavailable',
    'Card payments are not available right now. Please try again in a moment.',
    cause,
  );

/** Refusals that are not caused by the request: keys, timeout, conflict, rate limit. */
const NOT_THE_CALLERS = new Set([401, 403, 408, 409, 425, 429]);

/** Throws a refusal of the HTTP client in the form of the SDK's own. */
export function asRefusal(error: unknown): never {
  const { response } = error as { response?: { status: number; data?: { error?: unknown } } };
  if (!response) throw error;
  // Copies the answer only: the client's error also holds the request and its keys.
  throw Object.assign(new Error('The card provider refused the request'), {
    statusCode: response.status,
    error: response.data?.error,
  });
}

/**
 * Returns the checked answer of a call. SDK refusals come as `{statusCode, error}`; everything else counts as
 * an outage, including an answer of another shape.
 */
export async function call<S extends TSchema>(shape: S, run: () => Promise<unknown>): Promise<Static<S>> {
  let answer: unknown;
  try {
    answer = await run();
  } catch (error) {
    const status =
      typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
    if (typeof status === 'number' && status >= 400 && status < 500 && !NOT_THE_CALLERS.has(status)) {
      throw new AppError(422, 'card_provider_refused', 'The card provider refused this request.', {
        cause: error,
      });
    }
    throw notAvailable(error);
  }
  if (!Value.Check(shape, answer)) {
    throw notAvailable(new Error("The card provider's answer has another shape"));
  }
  return answer;
}
