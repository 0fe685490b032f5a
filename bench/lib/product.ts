/** The whole product for a benchmark: started, handed over and removed. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct, type Product, type ProductOptions } from '@karaar/dev/product';
import type { ServiceName } from '@karaar/contracts/names';

const MANY = '10000000';
const ENOUGH = '1000000';

/** Settings without limits on callers: all load of a benchmark comes from one address and a few people. */
export const unlimited: Readonly<Record<string, string>> = {
  REVERSAL_ALONE_PAISE: MANY,
  UNFUNDED_PER_HOUR: MANY,
  INVITATIONS_PER_USER_AND_DAY: MANY,
  RATE_LIMIT_PER_MINUTE: MANY,
  RATE_LIMIT_SENSITIVE_PER_MINUTE: MANY,
  RATE_LIMIT_HEAVY_PER_MINUTE: ENOUGH,
  CONNECTIONS_PER_ADDRESS: MANY,
  REQUESTS_PER_ADDRESS: MANY,
  LONG_PER_ADDRESS: MANY,
  REGISTER_IP_PER_HOUR: ENOUGH,
  OTP_IP_PER_HOUR: ENOUGH,
  OTP_TOTAL_PER_HOUR: ENOUGH,
};

/** Starts a fresh product, without the front end unless `options` say so, and removes it when `use` has ended. */
export async function withProduct<T>(
  name: string,
  options: Partial<ProductOptions>,
  use: (product: Product) => Promise<T>,
): Promise<T> {
  // The product's processes do not keep this process alive.
  const alive = setInterval(() => undefined, 60_000);
  try {
    const stateDir = await mkdtemp(join(tmpdir(), `karaar-${name}-`));
    const product = await startProduct({ stateDir, quiet: true, web: false, ...options });
    try {
      return await use(product);
    } finally {
      await product.stop({ remove: true });
    }
  } finally {
    clearInterval(alive);
  }
}

/** The services that have a database: all but vision. */
export const WITH_DATABASE = [
  'auth',
  'cms',
  'documents',
  'messaging',
  'notifications',
  'payments',
  'wallet',
] as const satisfies readonly ServiceName[];
/** The address of each service's database. */
export type Databases = Record<(typeof WITH_DATABASE)[number], string>;

/** The services' databases, as the administrator reaches them. */
export const databasesOf = ({ backing }: Product): Databases =>
  Object.fromEntries(
    WITH_DATABASE.map((name) => {
      const url = new URL(backing.postgresUrl);
      url.pathname = `/karaar_${name}`;
      return [name, url.toString()];
    }),
  ) as Databases;
