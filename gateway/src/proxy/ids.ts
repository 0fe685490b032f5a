import { randomFillSync, randomUUID } from 'node:crypto';

const REQUEST_ID = /^[\w.-]{8,64}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Random bytes are drawn in blocks: one system call for 1,000 requests. */
const IDS_BYTES = 24;
const pool = Buffer.allocUnsafe(IDS_BYTES * 1_000);
let used = pool.length;

/** The sender's request id when it is one, else a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** The sender's W3C trace context when it is valid, else the root of a new trace. */
export function traceparentOf(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && TRACEPARENT.test(sent)) return sent;
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const ids = pool.toString('hex', used, used + IDS_BYTES);
  used += IDS_BYTES;
  return `00-${ids.slice(0, 32)}-${ids.slice(32)}-01`;
}
