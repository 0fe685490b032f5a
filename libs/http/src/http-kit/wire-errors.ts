import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  AppError,
  badRequest,
  notFound,
  payloadTooLarge,
  toWire,
  unsupportedMedia,
  unavailable,
} from '@karaar/base/errors';

const field = (err: unknown, name: string): unknown =>
  typeof err === 'object' && err !== null ? (err as Record<string, unknown>)[name] : undefined;

/** Maps Fastify's own errors to AppErrors, because their texts name internals and do not help the caller. */
export function fromFramework(err: unknown): unknown {
  if (err instanceof AppError) return err;
  const code = field(err, 'code');
  if (typeof code !== 'string' || !code.startsWith('FST_')) return err;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return payloadTooLarge('payload_too_large', 'The request is too large.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return unsupportedMedia('unsupported_media', 'Send JSON, a form or multipart form data.');
    case 'FST_ERR_HANDLER_TIMEOUT':
      return unavailable('timeout', 'This took too long. Please try again in a moment.');
    case 'FST_ERR_NOT_FOUND':
      return notFound('not_found', 'There is nothing at this address.');
  }
  const status = field(err, 'statusCode');
  if (status === 413 || status === 414) return new AppError(status, 'too_large', 'The request is too large.');
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return badRequest('malformed_request', 'The request could not be understood.');
  }
  return err;
}

function answer(err: unknown, req: FastifyRequest, reply: FastifyReply): void {
  const wire = toWire(fromFramework(err));
  if (wire.status >= 500) {
    req.log[wire.status === 500 ? 'error' : 'warn']({ err, status: wire.status }, 'Request failed');
  }
  void reply
    .code(wire.status)
    .headers(wire.headers)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    // As a string: a route's response schema must not reshape an error.
    .send(JSON.stringify(wire.body));
}

/** Every error and every unknown address answers `{detail, code}`. */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answer);
  app.setNotFoundHandler((req, reply) => {
    answer(notFound('not_found', 'There is nothing at this address.'), req, reply);
  });
}

/** For requests that fail before routing (an undecodable address). */
export const frameworkErrors = answer;
