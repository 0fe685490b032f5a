import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct, type Product, type ProductOptions } from '@karaar/dev/product';
import { roomyEnv } from './room.ts';

/** Starts a product for one run of a command, and removes it with its data afterwards. */
export async function withProduct(
  name: string,
  { env, ...options }: Omit<ProductOptions, 'stateDir' | 'quiet'>,
  work: (product: Product, stateDir: string) => Promise<void>,
): Promise<void> {
  // The processes of the product do not keep this process alive.
  const alive = setInterval(() => undefined, 60_000);
  const stateDir = await mkdtemp(join(tmpdir(), `karaar-${name}-`));
  const product = await startProduct({ stateDir, quiet: true, env: { ...roomyEnv, ...env }, ...options });
  try {
    await work(product, stateDir);
  } finally {
    await product.stop({ remove: true });
    clearInterval(alive);
  }
}
