import type { Readable } from 'node:stream';
import { packWriter } from '@karaar/proof/pack';

export type ZipSource = { name: string; open: () => Promise<Readable> };

/** Streams a ZIP at the reader's pace, one open file at a time. An unreadable file ends it with an error. */
export async function* streamZip(madeAt: string, files: readonly ZipSource[]): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const writer = packWriter(madeAt, (chunk) => ready.push(chunk));
  for (const { name, open } of files) {
    const file = writer.add(name);
    // A stream of bytes; Node types its chunks as any.
    for await (const chunk of await open()) {
      file.write(chunk as Buffer, false);
      yield* ready.splice(0);
    }
    file.write(new Uint8Array(), true);
  }
  writer.end();
  yield* ready.splice(0);
}
