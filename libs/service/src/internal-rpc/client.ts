import { setTimeout as sleep } from 'node:timers/promises';
import type { InternalRpcResponse, InternalRpcContract, InternalRpcRequest } from '@karaar/contracts/kit';
import { request } from 'undici';
import { checkMessage, describeFaults } from '@karaar/bus';
import { unavailableText } from '@karaar/bus';
import { assertOutsideTransaction } from '@karaar/db';
import { credential, type ServiceSecrets } from '@karaar/http/service-credentials';
import { fromWire, isConnectionError, unavailable, type AppError, type WireBody } from '@karaar/base/errors';
import type { Logger } from '@karaar/observability/logging';
import { inSpan, traceHeaders } from '@karaar/observability/telemetry';

/**
 * Sends a request and waits for the response until the contract's deadline.
 *
 * @throws the AppError of the other service; AppError 503 `service_unavailable` if it is down, silent or
 * overloaded, or rejects the credential or the request. After a 503 the effect is unknown.
 */
export type Ask = <Q extends InternalRpcContract>(
  rpc: Q,
  data: InternalRpcRequest<Q>,
) => Promise<InternalRpcResponse<Q>>;

/** Number of connection attempts: another replica may answer. */
const TRIES = 3;
const PAUSE_MS = 50;
/** Errors of the port itself: caller and callee are configured differently. */
const PORT_FAULTS = new Set(['not_authenticated', 'invalid_token', 'wrong_audience', 'not_found']);

/**
 * Creates the client of one callee.
 * @param url base URL of the callee's internal port
 * @param secrets the caller's credentials there
 */
export function createInternalRpcClient(
  url: string,
  secrets: ServiceSecrets,
  logger: Pick<Logger, 'warn'>,
): Ask {
  return async <Q extends InternalRpcContract>(rpc: Q, data: InternalRpcRequest<Q>) => {
    const { method, path, callee } = rpc;
    assertOutsideTransaction(`${path} of ${callee} was called`);
    const body = JSON.stringify(data);
    // Not AbortSignal.timeout(): it creates an error for every request, long after the response.
    const deadline = new AbortController();
    const { signal } = deadline;
    const timer = setTimeout(() => deadline.abort(), rpc.timeoutMs);
    const send = async () => {
      const headers = { 'content-type': 'application/json', ...credential(secrets), ...traceHeaders() };
      const answer = await request(`${url}${path}`, { method, headers, body, signal });
      return { status: answer.statusCode, body: await answer.body.json() };
    };
    const answer = await inSpan(`${callee} ${path}`, { kind: 'CLIENT' }, async () => {
      try {
        return refuseOwnFaults(await repeatedly(send, signal));
      } catch (error) {
        logger.warn({ err: error, callee, path }, 'a request got no answer');
        throw unavailable('service_unavailable', unavailableText(callee), error);
      } finally {
        clearTimeout(timer);
      }
    });
    if (answer.status !== 200) throw refusalOf(answer);
    const checked = checkMessage<Q['response']>(rpc.response, answer.body);
    if (checked.ok) return checked.value;
    throw new Error(
      `The answer of ${callee} to ${path} breaks its contract: ${describeFaults(checked.faults)}`,
    );
  };
}

type Answer = { status: number; body: unknown };

async function repeatedly(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let unreached = 0; ;) {
    try {
      return await send();
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isCutOff(error)) {
        unreached += 1;
        if (!isConnectionError(error) || unreached === TRIES) throw error;
      }
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}

/**
 * Errors of reused connections: they all break when a process ends, and a new one may reach another process.
 */
const CUT_OFF = new Set<unknown>(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const isCutOff = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CUT_OFF.has(error.code);

/** @throws Error for a response that shows a configuration error or defect */
function refuseOwnFaults(answer: Answer): Answer {
  if (answer.status === 200) return answer;
  const { code } = wireBody(answer);
  if (PORT_FAULTS.has(code)) throw new Error(`the internal port answered ${answer.status} ${code}`);
  return answer;
}

const refusalOf = (answer: Answer): AppError => fromWire({ status: answer.status, body: wireBody(answer) });

function wireBody({ status, body }: Answer): WireBody {
  if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body)
    return body as WireBody;
  throw new Error(`the internal port answered ${status}`);
}
