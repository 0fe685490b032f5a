/** Asking another service. */
import type { RpcContract, RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { headers } from '@nats-io/transport-node';
import { assertOutsideTransaction } from '../db-kit/transaction.ts';
import { payloadTooLarge, unavailable } from '../errors/index.ts';
import { currentTraceparent } from '../telemetry/index.ts';
import type { Link } from './link.ts';
import { unavailableText } from './names.ts';
import { check, describe } from './validate.ts';
import { TIMEOUT, TRACEPARENT, unwrap } from './wire.ts';

export type RequestOptions = {
  /** Milliseconds until it gives up; the contract's when not given. */
  timeoutMs?: number;
};

/**
 * Asks and waits for the answer until the deadline. While the broker is away it waits for it within the
 * deadline, so that a short restart goes unnoticed and nothing is delivered after the caller gave up.
 *
 * @throws AppError of the other side as it was; AppError 503 `service_unavailable` when nobody serves
 *   the subject, nobody answered in time or the broker is away. After a 503 the effect is unknown.
 */
export async function request<R extends RpcContract>(
  link: Link,
  rpc: R,
  data: RpcRequest<R>,
  options: RequestOptions & { checkReply: boolean },
): Promise<RpcResponse<R>> {
  assertOutsideTransaction(`${rpc.subject} was called`);
  const timeoutMs = options.timeoutMs ?? rpc.timeoutMs;
  const deadline = performance.now() + timeoutMs;
  const payload = new TextEncoder().encode(JSON.stringify(data));
  if (!(await link.connectedWithin(timeoutMs))) throw noAnswer(rpc, new Error('the broker is away'));
  const left = Math.max(1, Math.floor(deadline - performance.now()));
  const answer = unwrap(rpc.subject, await send(link, rpc, payload, left));
  if (!options.checkReply) return answer as RpcResponse<R>;
  const checked = check<R['response']>(rpc.response, answer);
  if (checked.ok) return checked.value;
  throw new Error(`The reply to ${rpc.subject} breaks its contract: ${describe(checked.faults)}`);
}

async function send(link: Link, rpc: RpcContract, payload: Uint8Array, timeout: number): Promise<string> {
  const limit = link.nc.info?.max_payload ?? Number.POSITIVE_INFINITY;
  if (payload.length > limit) {
    throw payloadTooLarge('payload_too_large', 'This is too large to be processed.');
  }
  const sent = headers();
  const traceparent = currentTraceparent();
  if (traceparent !== undefined) sent.set(TRACEPARENT, traceparent);
  sent.set(TIMEOUT, String(timeout));
  try {
    return (await link.nc.request(rpc.subject, payload, { timeout, headers: sent })).string();
  } catch (error) {
    link.logger.warn({ err: error, subject: rpc.subject, timeout }, 'rpc got no answer');
    throw noAnswer(rpc, error);
  }
}

const noAnswer = (rpc: RpcContract, cause: unknown) =>
  unavailable('service_unavailable', unavailableText(rpc.subject), cause);
