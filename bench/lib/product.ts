import { startProduct, type Product, type ProductOptions } from '@karaar/dev/product';
import { PUBLISHERS } from '@karaar/contracts/names';
import { scratch } from '@karaar/testing/scratch';

/** Settings without limits on callers: the load of a benchmark comes from one address and a few users. */
export const unlimited: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'REVERSAL_ALONE_PAISE',
    'UNFUNDED_PER_HOUR',
    'INVITATIONS_PER_USER_AND_DAY',
    'RATE_LIMIT_PER_MINUTE',
    'RATE_LIMIT_SENSITIVE_PER_MINUTE',
    'RATE_LIMIT_HEAVY_PER_MINUTE',
    'CONNECTIONS_PER_ADDRESS',
    'REQUESTS_PER_ADDRESS',
    'LONG_PER_ADDRESS',
    'REGISTER_IP_PER_HOUR',
    'OTP_IP_PER_HOUR',
    'OTP_TOTAL_PER_HOUR',
  ].map((name) => [name, '1000000']),
);

/** Starts a new product, by default without the front end, and removes it after `use`. */
export async function withProduct<T>(
  options: Partial<ProductOptions>,
  use: (product: Product) => Promise<T>,
): Promise<T> {
  // The product's processes do not keep this process alive.
  const alive = setInterval(() => undefined, 60_000);
  try {
    const product = await startProduct({ stateDir: scratch().dir, quiet: true, web: false, ...options });
    try {
      return await use(product);
    } finally {
      await product.stop({ remove: true });
    }
  } finally {
    clearInterval(alive);
  }
}

export type Databases = Record<(typeof PUBLISHERS)[number], string>;

/** Returns the services' databases as the administrator reaches them. */
export const databasesOf = ({ backing }: Product): Databases =>
  Object.fromEntries(
    PUBLISHERS.map((name) => {
      const url = new URL(backing.postgresUrl);
      url.pathname = `/karaar_${name}`;
      return [name, url.toString()];
    }),
  ) as Databases;
