import { setTimeout as sleep } from 'node:timers/promises';
import { askedBy } from '@karaar/contracts/broker/names';
import type { RpcContract, RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { headers, RequestError, type MsgHdrs } from '@nats-io/transport-node';
import { assertOutsideTransaction } from '@karaar/db';
import { payloadTooLarge, unavailable } from '@karaar/base/errors';
import { currentTraceparent, inSpan } from '@karaar/observability/telemetry';
import type { Link } from '../link.ts';
import { serviceOf, unavailableText } from '../names.ts';
import { checkMessage, describeFaults } from '../validate.ts';
import { TIMEOUT, TRACEPARENT, unwrap } from './wire.ts';

export type RequestOptions = {
  /** Timeout in milliseconds; the contract's by default. */
  timeoutMs?: number;
};

/** Milliseconds after a reconnection in which other services may not be connected yet. */
const RETURN_MS = 2_000;

/**
 * Sends a request and waits for the reply until the deadline. During a broker outage it waits within the
 * deadline, so that a short restart causes no error and no request is delivered after the caller gave up.
 *
 * @throws the AppError of the other service; AppError 503 `service_unavailable` if no process serves the
 * subject, no reply came in time, or the broker is away. The effect is unknown if {@link isReplyLost}.
 */
export async function request<R extends RpcContract>(
  link: Link,
  rpc: R,
  data: RpcRequest<R>,
  options: RequestOptions & { checkReply: boolean },
): Promise<RpcResponse<R>> {
  assertOutsideTransaction(`${rpc.subject} was called`);
  const deadline = performance.now() + (options.timeoutMs ?? rpc.timeoutMs);
  const payload = new TextEncoder().encode(JSON.stringify(data));
  if (payload.length > (link.nc.info?.max_payload ?? Number.POSITIVE_INFINITY)) {
    throw payloadTooLarge('payload_too_large', 'This is too large to be processed.');
  }
  const text = await inSpan(rpc.subject, { kind: 'CLIENT' }, () => send(link, rpc, payload, deadline));
  const answer = unwrap(rpc.subject, text);
  if (!options.checkReply) return answer as RpcResponse<R>;
  const checked = checkMessage<R['response']>(rpc.response, answer);
  if (checked.ok) return checked.value;
  throw new ReplyLost(`The reply to ${rpc.subject} breaks its contract: ${describeFaults(checked.faults)}`);
}

async function send(link: Link, rpc: RpcContract, payload: Uint8Array, deadline: number): Promise<string> {
  for (;;) {
    const left = Math.floor(deadline - performance.now());
    try {
      if (left < 1 || !(await link.connectedWithin(left))) throw new BrokerAway('the broker is away');
      const timeout = Math.max(1, Math.floor(deadline - performance.now()));
      const subject = askedBy(rpc.subject, link.name);
      const reply = await link.nc.request(subject, payload, { timeout, headers: headersOf(timeout) });
      return reply.string();
    } catch (error) {
      // No process has received the request, so a retry is safe; it is useful only while other services may
      // be reconnecting.
      if (isNobody(error) && link.connectedForMs < RETURN_MS && deadline - performance.now() > 100) {
        await sleep(50);
        continue;
      }
      link.logger.warn({ err: error, subject: rpc.subject }, 'rpc got no answer');
      const isUnsent = isNobody(error) || error instanceof BrokerAway;
      const cause = isUnsent ? error : new ReplyLost('The request had no reply', { cause: error });
      throw unavailable('service_unavailable', unavailableText(serviceOf(rpc.subject)), cause);
    }
  }
}

class BrokerAway extends Error {}
class ReplyLost extends Error {}

/**
 * Returns true for an error of `request`, or an error that it caused, if another process may have carried the
 * request out.
 */
export const isReplyLost = (error: unknown): boolean =>
  error instanceof ReplyLost || (error instanceof Error && isReplyLost(error.cause));

const isNobody = (error: unknown) => error instanceof RequestError && error.isNoResponders();

function headersOf(timeout: number): MsgHdrs {
  const sent = headers();
  const traceparent = currentTraceparent();
  if (traceparent !== undefined) sent.set(TRACEPARENT, traceparent);
  sent.set(TIMEOUT, String(timeout));
  return sent;
}
