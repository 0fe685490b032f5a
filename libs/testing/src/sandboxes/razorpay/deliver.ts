import { request, type ClientRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Webhook {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** How the bytes are sent. `trickleMs`: the body is spread over that time. `cut`: reset after half of it. */
export interface Manner {
  trickleMs?: number;
  cut?: boolean;
}

const ANSWER_WITHIN_MS = 5_000;
const PIECES = 10;

async function writeBody(
  req: ClientRequest,
  body: Buffer,
  { trickleMs = 0, cut = false }: Manner,
): Promise<void> {
  if (cut) {
    await new Promise<void>((resolve) => req.write(body.subarray(0, body.length / 2), () => resolve()));
    req.socket?.resetAndDestroy();
    return;
  }
  if (trickleMs === 0) {
    req.end(body);
    return;
  }
  const size = Math.ceil(body.length / PIECES);
  for (let at = 0; at < body.length && !req.destroyed; at += size) {
    req.write(body.subarray(at, at + size));
    await sleep(trickleMs / PIECES);
  }
  req.end();
}

/** Posts a webhook. Resolves with the status, or with the reason for a missing response. */
export function deliver({ url, headers, body }: Webhook, manner: Manner = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? secureRequest : request;
    const req = send(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS + (manner.trickleMs ?? 0)),
    });
    req.on('response', (res) => {
      res.resume();
      res.on('error', (error) => resolve(error.message));
      res.on('end', () => resolve(res.statusCode ?? 0));
    });
    req.on('error', (error) => resolve(error.name === 'AbortError' ? 'no answer in time' : error.message));
    req.on('close', () => resolve('connection closed'));
    // A failed write causes the request's own error event.
    req.on('socket', () => void writeBody(req, body, manner));
  });
}
