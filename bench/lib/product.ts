import type { Product, ProductOptions } from '@karaar/dev/product';
import { PUBLISHERS } from '@karaar/contracts/names';
import { databaseUrl } from '@karaar/e2e/src/database.ts';
import { roomyEnv } from '@karaar/e2e/src/room.ts';

/** A product without front end and limits on callers: the load of a benchmark comes from one address and a few users. */
export const unlimited = {
  web: false,
  env: { ...roomyEnv, REVERSAL_ALONE_PAISE: '1000000', UNFUNDED_PER_HOUR: '1000000' },
} satisfies Partial<ProductOptions>;

export type Databases = Record<(typeof PUBLISHERS)[number], string>;

/** Returns the services' databases as the administrator reaches them. */
export const databasesOf = ({ backing }: Product): Databases =>
  Object.fromEntries(PUBLISHERS.map((name) => [name, databaseUrl(backing.postgresUrl, name)])) as Databases;
