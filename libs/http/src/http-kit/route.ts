import { AppError } from '@karaar/base/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteContract } from '@karaar/contracts/kit';
import { inSpan, withTraceparent } from '@karaar/observability/telemetry';
import type { Principal } from '../auth/index.ts';
import type { HttpApp } from './apps/app.ts';
import { withDeadline } from './limits/deadline.ts';
import { authenticate } from './limits/guard.ts';
import { idempotencyKey, inputReader } from './input/input.ts';
import type { BinaryBody, Handler, RouteContext } from './types.ts';
import { fromFramework } from './wire-errors.ts';

const DEFAULT_TIMEOUT_MS = 15_000;

export type MountOptions = {
  /** Maximum total bytes of a form's files; by default the sum of the contract's limits. */
  maxTotalBytes?: number;
  /**
   * Throws 403 or 404 for a caller without a right to the object. It does not guard the route: it is called only
   * before an error about the body is sent, so that others get the refusal instead.
   */
  rightsFirst?: (caller: { principal: Principal; params: Record<string, string> }) => Promise<unknown>;
};
/** Statuses of an error about the body. */
const BODY_FAULTS = new Set([400, 413, 415, 422]);

const header = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined);

/** RFC 6266: an ASCII name for old clients, the real one for all others. */
function disposition(body: BinaryBody): string {
  const how = body.download ? 'attachment' : 'inline';
  if (body.filename === undefined) return how;
  const ascii = body.filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return `${how}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(body.filename).replaceAll("'", '%27')}`;
}

function sendBinary(reply: FastifyReply, answer: BinaryBody): FastifyReply {
  const size = answer.size ?? (Buffer.isBuffer(answer.body) ? answer.body.length : undefined);
  if (size !== undefined) reply.header('content-length', size);
  return reply
    .header('content-disposition', disposition(answer))
    .header('cache-control', 'private, no-store')
    .headers(answer.headers ?? {})
    .type(answer.mime)
    .send(answer.body);
}

/**
 * The contract's successful responses by status; JSON ones also serialise (undeclared fields are removed).
 */
function answers(contract: RouteContract) {
  const entries = Object.entries(contract.response)
    .map(([status, schema]) => ({ status: Number(status), schema }))
    .filter(({ status }) => status >= 200 && status < 300)
    .sort((a, b) => a.status - b.status);
  const json = entries.filter(({ schema, status }) => schema !== 'binary' && status !== 204);
  return {
    lowest: entries[0]?.status ?? 200,
    binary: new Set(entries.filter(({ schema }) => schema === 'binary').map(({ status }) => status)),
    serializers: Object.fromEntries(json.map(({ status, schema }) => [status, schema])),
  };
}

/**
 * Adds a route from its contract: the caller is checked before the body is read; path, query and body are
 * validated and converted; the handler gets them typed; the contract serialises its result.
 * @param app from `createHttpApp`; with a verifier unless the contract is public
 * @throws Error for a guarded route without a verifier, or an admin route without roles
 */
export function mountRoute<const C extends RouteContract>(
  app: HttpApp,
  contract: C,
  handler: Handler<C>,
  options: MountOptions = {},
): void {
  const { access, method, path } = contract;
  const verifier = app.tokenVerifier;
  if (access !== 'public' && !verifier)
    throw new Error(`${method} ${path} needs an app with a token verifier`);
  // An admin route without roles is a mistake: it must not admit every admin.
  if (access === 'admin' && !contract.roles?.length)
    throw new Error(`${method} ${path} names no admin roles`);
  const { maxTotalBytes, rightsFirst } = options;
  const read = inputReader(contract, maxTotalBytes);
  const timeoutMs = contract.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const { binary, lowest, serializers } = answers(contract);
  const span = { kind: 'SERVER' as const, attributes: { 'http.request.method': method, 'http.route': path } };

  app.route({
    method,
    url: path,
    schema: { response: serializers },
    ...(rightsFirst && {
      errorHandler: (fault: unknown, { principal, params }: FastifyRequest, reply: FastifyReply) => {
        const error = fromFramework(fault);
        const isOfBody = error instanceof AppError && BODY_FAULTS.has(error.status);
        // The router's parameters are always texts.
        const about = principal && { principal, params: params as Record<string, string> };
        const asked = isOfBody && about ? rightsFirst(about) : Promise.resolve();
        asked.then(
          () => reply.send(error),
          (refusal: unknown) => reply.send(refusal),
        );
      },
    }),
    onRequest: async (req) => {
      if (access !== 'public' && verifier) {
        req.principal = await authenticate(req, { access, roles: contract.roles }, verifier);
      }
    },
    handler: async (req, reply) => {
      const key = idempotencyKey(req);
      const input = await read(req, reply);
      const run = (signal: AbortSignal) =>
        withTraceparent(header(req.headers.traceparent), () =>
          inSpan(`${method} ${path}`, span, () =>
            // The schemas, from which the context's type is derived, have validated the input.
            handler({
              ...input,
              principal: req.principal,
              idempotencyKey: key,
              signal,
              req,
              reply,
              log: req.log,
            } as RouteContext<C>),
          ),
        );
      const result: unknown = await withDeadline(req, reply, timeoutMs, run);
      if (reply.sent) return reply;
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      // 200 is also the status of an untouched reply; a handler sets another status itself.
      if (reply.statusCode === 200) reply.code(lowest);
      if (binary.has(reply.statusCode)) return sendBinary(reply, result as BinaryBody);
      return reply.send(reply.statusCode === 204 ? undefined : result);
    },
  });
}
