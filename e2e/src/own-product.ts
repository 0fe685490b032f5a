import { startProduct, type Product, type ProductOptions } from '@karaar/dev/product';
import { scratch } from '@karaar/testing/scratch';

/** Starts a product for one run of a command, and removes it with its data afterwards. */
export async function withProduct<T>(
  options: Partial<ProductOptions>,
  work: (product: Product, stateDir: string) => Promise<T>,
): Promise<T> {
  // The processes of the product do not keep this process alive.
  const alive = setInterval(() => undefined, 60_000);
  const stateDir = scratch().dir;
  try {
    const product = await startProduct({ stateDir, quiet: true, ...options });
    try {
      return await work(product, stateDir);
    } finally {
      await product.stop({ remove: true });
    }
  } finally {
    clearInterval(alive);
  }
}
