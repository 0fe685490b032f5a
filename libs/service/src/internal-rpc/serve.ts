import type { InternalRpcResponse, InternalRpcContract, InternalRpcRequest } from '@karaar/contracts/kit';
import { checkMessage } from '@karaar/bus';
import { unavailableText } from '@karaar/bus';
import { invalid, unavailable } from '@karaar/base/errors';
import type { HttpApp } from '@karaar/http';
import { inSpan, withTraceparent } from '@karaar/observability/telemetry';

/** Maximum concurrent requests of a kind; further ones get 503 at once. */
const MOST_AT_A_TIME = 200;

/**
 * Serves a request. The caller is checked before the body is read; a request that breaks the contract gets
 * 422. It is served even under overload, because requests admitted elsewhere wait for it.
 *
 * @param inner the internal port's app
 */
export function serveInternalRpc<Q extends InternalRpcContract>(
  inner: HttpApp['inner'],
  rpc: Q,
  answer: (data: InternalRpcRequest<Q>) => Promise<InternalRpcResponse<Q>>,
): void {
  const { method, path, callee, callers } = rpc;
  const span = {
    kind: 'SERVER' as const,
    attributes: { 'http.request.method': method, 'http.route': path },
  };
  let running = 0;
  inner.post(path, { config: { callers, spared: true } }, async (req) => {
    if (running >= MOST_AT_A_TIME) throw unavailable('service_unavailable', unavailableText(callee));
    const checked = checkMessage<Q['request']>(rpc.request, req.body);
    if (!checked.ok) throw invalid(checked.faults);
    running += 1;
    try {
      return await withTraceparent(req.headers.traceparent?.toString(), () =>
        inSpan(`${method} ${path}`, span, () => answer(checked.value)),
      );
    } finally {
      running -= 1;
    }
  });
}
