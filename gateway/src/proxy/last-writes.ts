import type { ServerResponse } from 'node:http';

/** As text in Latin-1, byte for byte the same: a short body and its head become one string and one write. */
let waiting: { res: ServerResponse; text: string }[] = [];

/**
 * Ends an answer with its last bytes, together with all others that become complete in this turn of the
 * event loop. Writes that follow each other closely find the receiving side awake; each on its own
 * would wake it anew, which is the dearest part of a short answer.
 *
 * @param chunk at most what a line reads at once; its memory is free again when this returns, so that an answer which has
 *   to wait (for its turn on a connection with several requests, say) never shows what is read there next
 */
export function endSoon(res: ServerResponse, chunk: Buffer): void {
  endSoonAs(res, chunk.toString('latin1'));
}

/** The same for an answer of the gateway's own, whose head is written. @param text in Latin-1 */
export function endSoonAs(res: ServerResponse, text: string): void {
  waiting.push({ res, text });
  if (waiting.length === 1) setImmediate(endAll);
}

function endAll(): void {
  const batch = waiting;
  waiting = [];
  for (const { res, text } of batch) {
    // The browser may have left since; there is nobody to write to then.
    if (!res.destroyed) end(res, text);
  }
}

function end(res: ServerResponse, text: string): void {
  const { socket } = res;
  // Not its turn yet on a connection with several requests.
  if (socket === null) {
    res.end(text, 'latin1');
    return;
  }
  // `end` with the text would add an empty part to it, and go out as a list of parts.
  socket.cork();
  res.write(text, 'latin1');
  socket.uncork();
  res.end();
}
