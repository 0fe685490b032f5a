/** Starts the product that all files of `journeys/` use. It runs in Jest's main process and ends with it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@karaar/dev/product';
import { roomyEnv } from '../room.ts';

/** Journeys register and sign in far more people from one address than a real one would. */
export default async function setup() {
  // The product's processes do not keep the one that started them alive; Jest alone has nothing to do meanwhile.
  globalThis.journeyKeepAlive = setInterval(() => undefined, 60_000);
  const stateDir = await mkdtemp(join(tmpdir(), 'karaar-journeys-'));
  const product = await startProduct({
    stateDir,
    quiet: true,
    env: roomyEnv,
  });
  // Jest's workers are forked later and inherit these.
  process.env.JOURNEY_URL = product.url;
  process.env.JOURNEY_POSTGRES_URL = product.backing.postgresUrl;
  process.env.JOURNEY_STATE_DIR = stateDir;
  process.env.JOURNEY_SERVICES = JSON.stringify(
    Object.fromEntries(product.processes.map(({ name, url }) => [name, url])),
  );
  globalThis.journeyProduct = product;
}
