import type { ServerResponse } from 'node:http';

/** Up to here copying a body costs less than a second write. */
const MERGED_BYTES = 16_384;

let waiting: { res: ServerResponse; chunk: Buffer }[] = [];

/**
 * Ends an answer with its last bytes, together with all others that become complete in this turn of the
 * event loop. Writes that follow each other closely find the receiving side awake; each on its own
 * would wake it anew, which is the dearest part of a short answer.
 */
export function endSoon(res: ServerResponse, chunk: Buffer): void {
  waiting.push({ res, chunk });
  if (waiting.length === 1) setImmediate(endAll);
}

function endAll(): void {
  const batch = waiting;
  waiting = [];
  for (const { res, chunk } of batch) {
    // The browser may have left since; there is nobody to write to then.
    if (!res.destroyed) end(res, chunk);
  }
}

function end(res: ServerResponse, chunk: Buffer): void {
  const { socket } = res;
  if (chunk.length > MERGED_BYTES || socket === null) {
    res.end(chunk);
    return;
  }
  // As text in Latin-1 (byte for byte the same) a short body and its head become one string and one write; as a buffer
  // they would be two. `end` with the text would add an empty part to it, and go out as a list of parts.
  socket.cork();
  res.write(chunk.toString('latin1'), 'latin1');
  socket.uncork();
  res.end();
}
