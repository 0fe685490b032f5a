/**
 * A child process for tests that measure memory or kill a writer. argv: action (`flow` | `hang`), the store's
 * config as JSON, megabytes.
 */
import { parseKekRing, type BlobConfig } from '../config.ts';
import { createBlobStore } from '../store.ts';

const MIB = 1024 * 1024;
const [, , what, json = '', megabytes = '0'] = process.argv;
const { kek, ...rest } = JSON.parse(json) as { kek: string } & Pick<BlobConfig, 'service' | 'backend'>;
const store = createBlobStore({ ...rest, keks: parseKekRing(kek) });

async function* content(mib: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < mib; i += 1) yield Buffer.alloc(MIB, i);
}

async function flow(mib: number): Promise<number> {
  const { path } = await store.put('owner', content(mib));
  let bytes = 0;
  for await (const piece of (await store.open(path)).stream) bytes += (piece as Buffer).length;
  return bytes;
}

async function* hanging(mib: number): AsyncGenerator<Buffer> {
  yield* content(mib);
  process.stdout.write('written\n');
  await new Promise(() => setInterval(() => undefined, 1000));
}

if (what === 'hang') await store.put('owner', hanging(Number(megabytes)));
else {
  await flow(32);
  const warm = process.resourceUsage().maxRSS;
  const bytes = await flow(Number(megabytes));
  const grownMiB = (process.resourceUsage().maxRSS - warm) / 1024;
  process.stdout.write(JSON.stringify({ bytes, grownMiB }));
}
