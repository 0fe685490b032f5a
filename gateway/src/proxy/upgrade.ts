import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { openConnection, readyEvent } from '../lines/connection.ts';
import { retryAfterS } from '../shedding/retry-after.ts';
import { requestHeaders, type Forwarded } from './request-headers.ts';
import { Tunnel } from './tunnel.ts';
import type { Upstream } from './upstream.ts';

const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Connects a browser's websocket with its service: the handshake is passed on with our headers, after
 * that both directions are piped as bytes. Either end closing closes the other.
 *
 * @param open holds the tunnel as long as the connection lives
 * @param onFault told what kept the service from being reached
 */
export function tunnel(
  req: IncomingMessage,
  socket: Socket,
  head: Buffer,
  upstream: Upstream,
  forwarded: Forwarded,
  open: Set<Tunnel>,
  onFault: (fault: Error) => void,
): void {
  const service = openConnection(upstream.url);
  const giveUp = setTimeout(() => service.destroy(new Error('Connecting took too long')), CONNECT_TIMEOUT_MS);
  let connected = false;
  socket.setTimeout(0);
  socket.setNoDelay(true);

  service.once(readyEvent(upstream.url), () => {
    connected = true;
    clearTimeout(giveUp);
    service.write(handshake(req, forwarded, upstream.url.host));
    if (head.length > 0) service.write(head);
    const passing = new Tunnel(socket, service);
    open.add(passing);
    socket.once('close', () => open.delete(passing));
  });
  service.once('error', (fault) => {
    if (connected || socket.destroyed) {
      socket.destroy();
      return;
    }
    onFault(fault);
    refuseUpgrade(socket, 503, `${upstream.title} is not available right now. Please try again in a moment.`);
  });
  service.once('close', () => {
    clearTimeout(giveUp);
    socket.destroySoon();
  });
  socket.once('error', () => service.destroy());
  socket.once('close', () => {
    service.destroy();
  });
}

/** Answers an upgrade that goes nowhere, in the wire form of errors. */
export function refuseUpgrade(socket: Socket, status: 404 | 429 | 503, detail: string): void {
  const reason = { 404: 'Not Found', 429: 'Too Many Requests', 503: 'Service Unavailable' }[status];
  const code = { 404: 'not_found', 429: 'too_many_requests', 503: 'service_unavailable' }[status];
  const body = JSON.stringify({ detail, code });
  const retry = status === 404 ? '' : `retry-after: ${retryAfterS('usual')}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\n${retry}content-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function handshake(req: IncomingMessage, forwarded: Forwarded, host: string): string {
  const headers = requestHeaders(req.headers, forwarded, false);
  let text = `${req.method} ${req.url} HTTP/1.1\r\nhost: ${host}\r\n`;
  text += `connection: upgrade\r\nupgrade: ${req.headers.upgrade ?? 'websocket'}\r\n`;
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${text}\r\n`;
}
