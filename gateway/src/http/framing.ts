/**
 * Refuses requests that two parsers could read differently (RFC 9112 §3.2, §6.3, §11), before all other work.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, notFound, type AppError } from '@karaar/base/errors';
import { bodyFollows } from '@karaar/http';
import type { onRequestHookHandler } from 'fastify';
import { hopsOf, isOurs } from './request-headers.ts';

/** If one of these headers comes twice, parsers may choose different ones. */
const ONCE = /^(?:authorization|content-(?:encoding|length|type)|expect|host|transfer-encoding|upgrade)$/;
/** Headers that `Connection` may not name, because services need them or they mark the end of a message. */
const NEEDED =
  /^(?:accept|authorization|connection|content|cookie|expect|host|idempotency|if-|origin|proxy-auth|range|sec-|trailer|transfer-|user-agent|x-razorpay)/;
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);
const DIGITS = /^\d{1,15}$/;
/** An address in origin form; browsers never send a fragment. */
const TARGET = /^\/[!"$-~]*$/;
/** A `.` or `..` segment, plain or escaped. */
const DOT_SEGMENT = /\/(\.|%2e){1,2}(\/|$)/i;
// eslint-disable-next-line no-control-regex -- control characters are what this finds
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

const ambiguous = (why: string) => badRequest('bad_request', `This request could not be understood: ${why}.`);

/** Returns why a request must be refused; null if it has only one meaning. */
export function ambiguityOf(req: IncomingMessage): AppError | null {
  const { rawHeaders, headers, method = '' } = req;
  if (!TARGET.test(req.url ?? '')) return ambiguous('its address is not a path');
  if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0')
    return ambiguous('it is of an unknown version of HTTP');
  if (headers.host === undefined && req.httpVersion !== '1.0') return ambiguous('it names no host');
  let once: string[] | undefined;
  // Names are at even positions, values at odd ones.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (CONTROL.test(rawHeaders[at + 1] ?? '')) return ambiguous('a header holds a control character');
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!ONCE.test(name)) continue;
    if (once?.includes(name) === true) return ambiguous(`it has two ${name} headers`);
    (once ??= []).push(name);
  }
  const length = headers['content-length'];
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (length !== undefined) return ambiguous('it gives the length of its body twice');
    if (coding !== 'chunked' || req.httpVersion !== '1.1')
      return ambiguous('it sends its body in an unknown way');
  }
  if (length !== undefined && !DIGITS.test(length)) return ambiguous('its length is not a number');
  if (bodyFollows(req) && BODILESS.has(method)) return ambiguous(`${method} takes no body`);
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return ambiguous('it expects something unknown');
  if (headers.upgrade !== undefined && !changesToSocket(req)) return ambiguous('there is no such protocol');
  if (hopsOf(req).some((name) => isOurs(name) || NEEDED.test(name)))
    return ambiguous('it wants a header removed that is needed');
  return null;
}

/** Refuses `.` and `..` segments in a forwarded address, so that no service has to resolve them. */
export const noDots: onRequestHookHandler = (req, _reply, done) => {
  const [path = ''] = (req.raw.url ?? '').split('?');
  done(DOT_SEGMENT.test(path) ? notFound('not_found', 'There is no such address.') : undefined);
};

/** Requests that Node treats as a protocol upgrade, and their connections. */
export const upgrades = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>();
export const isUpgrade = (req: IncomingMessage): boolean => upgrades.has(req);

function changesToSocket(req: IncomingMessage): boolean {
  return (
    isUpgrade(req) &&
    req.method === 'GET' &&
    req.headers.upgrade?.toLowerCase() === 'websocket' &&
    !bodyFollows(req)
  );
}
