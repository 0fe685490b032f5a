/** The part of clamd's protocol that scans a stream (man clamd, INSTREAM). */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createConnection, type Socket } from 'node:net';

export type ClamdAddress = { path: string } | { host: string; port: number };

/** A reply is one line; longer data is invalid. */
const MAX_ANSWER = 4_096;

/**
 * Sends a file to clamd in length-prefixed chunks and reads the verdict.
 * @returns the name of the matching signature, or null
 * @throws Error if clamd is unreachable, does not answer in time, or reports that it could not scan
 */
export async function scanByClamd(
  address: ClamdAddress,
  file: string,
  timeoutMs: number,
): Promise<string | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  const socket = createConnection({ ...address, signal });
  try {
    const answer = answerOf(socket);
    // Wait for the first of the two: clamd answers and disconnects early if the file is too large for it.
    const sent = send(socket, file, signal).then(() => answer);
    return verdictOf(await Promise.race([answer, sent]));
  } finally {
    socket.destroy();
  }
}

async function send(socket: Socket, file: string, signal: AbortSignal): Promise<void> {
  await once(socket, 'connect', { signal });
  socket.write('zINSTREAM\0');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    socket.write(length);
    if (!socket.write(chunk)) await once(socket, 'drain', { signal });
  }
  socket.write(Buffer.alloc(4));
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\0');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > MAX_ANSWER) reject(new Error('clamd answers without an end'));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('clamd hung up without an answer')));
  });
}

function verdictOf(answer: string): string | null {
  if (answer === 'stream: OK') return null;
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
  if (found === undefined) throw new Error(`clamd could not scan: ${answer.slice(0, 200)}`);
  return found;
}
