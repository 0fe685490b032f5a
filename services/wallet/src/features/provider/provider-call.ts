/** One call of the card provider, bounded and with its faults as ours. */
import { AppError, unavailable } from '@karaar/platform/errors';
import type Razorpay from 'razorpay';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** The SDK does not declare its HTTP client, whose bounds must be set. */
export type Transport = {
  defaults: { baseURL: string; timeout: number };
  get: (path: string, options: { params: Record<string, number> }) => Promise<{ data: unknown }>;
  post: (
    path: string,
    body: unknown,
    options: { headers: Record<string, string> },
  ) => Promise<{ data: unknown }>;
};

export const transportOf = (sdk: Razorpay): Transport =>
  (sdk as unknown as { api: { rq: Transport } }).api.rq;

const notAvailable = (cause: unknown) =>
  unavailable(
    'card_provider_unavailable',
    'Card payments are not available right now. Please try again in a moment.',
    cause,
  );

/** Refusals that say something about us or the moment, not about the request: keys, timeout, still at it, rate. */
const NOT_THE_CALLERS = new Set([401, 403, 408, 409, 425, 429]);

/** A refusal of the HTTP client, in the form that the SDK gives its own. */
export function asRefusal(error: unknown): never {
  const { response } = error as { response?: { status: number; data?: { error?: unknown } } };
  if (!response) throw error;
  // Data of the answer only: what the client hangs on its errors holds the request and its keys.
  throw Object.assign(new Error('the card provider refused'), {
    statusCode: response.status,
    error: response.data?.error,
  });
}

/** SDK refusals come as `{statusCode, error}`; everything else is an outage, as is an answer of no known shape. */
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
    throw notAvailable(new Error('the answer of the card provider has another shape'));
  }
  return answer;
}
