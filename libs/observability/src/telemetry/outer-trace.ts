import { randomFillSync } from 'node:crypto';

const TRACEPARENT = /^(00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-)[0-9a-f]{2}$/;
/** Ignores the sender's sampling flag: otherwise a client could have all of its requests recorded. */
const SAMPLED = '01';

/** Random bytes are drawn in blocks: one system call for 1,000 requests. */
const IDS_BYTES = 24;
const pool = Buffer.allocUnsafe(IDS_BYTES * 1_000);
let used = pool.length;

/** Returns hexadecimal ids of a new trace and its first span: 32 and 16 digits. */
export function freshIds(): { traceId: string; spanId: string } {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const ids = pool.toString('hex', used, used + IDS_BYTES);
  used += IDS_BYTES;
  return { traceId: ids.slice(0, 32), spanId: ids.slice(32) };
}

/** Returns the sender's W3C trace context if it is valid, else the root of a new trace. */
export function traceparentOf(sent: string | string[] | undefined): string {
  const context = typeof sent === 'string' ? TRACEPARENT.exec(sent)?.[1] : undefined;
  if (context !== undefined) return context + SAMPLED;
  const { traceId, spanId } = freshIds();
  return `00-${traceId}-${spanId}-${SAMPLED}`;
}
