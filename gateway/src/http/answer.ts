import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, toWire } from '@karaar/platform/errors';
import type { Header } from './security-headers.ts';

/** How long the rest of a refused upload is read away, so that the browser gets to see the answer. */
const LINGER_MS = 5_000;

/**
 * Reads away what the browser still sends after its answer is complete. A connection that is closed
 * with unread data is reset, and the browser would show a network error in place of the answer.
 * Bounded in time: an upload that goes on for longer is cut.
 */
export function drainRequest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('close', () => clearTimeout(timer));
  req.once('end', () => clearTimeout(timer));
  req.resume();
}

/**
 * Answers with the wire form of an error (spec §8). If the answer has begun already, the connection is
 * cut: the browser must not take the part it has for the whole.
 */
export function sendError(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const { status, body, headers } = toWire(error);
  sendJson(req, res, status, body, headers);
}

/** Answers with JSON that no cache keeps. Headers set on `res` before stay. */
export function sendJson(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  res.end(req.method === 'HEAD' ? undefined : text);
  drainRequest(req);
}

/** 405: the path exists, with these methods. */
export const wrongMethod = (allow: readonly string[]): AppError =>
  new AppError(405, 'method_not_allowed', 'This address exists with another method.', {
    headers: { allow: allow.join(', ') },
  });

/** Sets headers for an answer whose own ones come later. */
export function label(res: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) res.setHeader(name, value);
}
