/**
 * Proxies between the services and what they use: PostgreSQL by database, NATS, Redis, the file store, the card provider, the
 * log's witness, and the inner doors at which payments asks.
 */
import type { ProductFacts, ProcessName } from '@karaar/dev/processes/services';
import type { S3Stub } from '@karaar/testing/providers/s3-stub';
import { startCutProxy, type CutProxy } from './cut-proxy.ts';

/** The databases, each with a proxy of its own, so that seldom commits are hit as well. */
export const DATABASES = [
  'payments',
  'wallet',
  'documents',
  'auth',
  'messaging',
  'notifications',
  'cms',
] as const;
/** Services that payments asks for what a payment needs. */
export const DOORS = ['documents', 'wallet'] as const;
export type LinkName =
  | `postgres ${(typeof DATABASES)[number]}`
  | `door of ${(typeof DOORS)[number]}`
  | 'nats'
  | 'redis'
  | 'files'
  | 'provider'
  | 'witness';

export type Links = {
  /** By name; those of the product are there once its addresses are known. */
  proxies: Map<LinkName, CutProxy>;
  /** Gives every process the proxies' addresses. */
  between: (facts: ProductFacts) => Promise<ProductFacts>;
  /** Where the file store is reached. */
  filesUrl: string;
  close: () => Promise<void>;
};

/** @param files the store of all services */
export async function startLinks(files: S3Stub): Promise<Links> {
  const proxies = new Map<LinkName, CutProxy>();
  const via = async (name: LinkName, address: string): Promise<string> => {
    const url = new URL(address);
    const proxy = await startCutProxy(Number(url.port), name.startsWith('postgres') ? 'postgres' : 'other');
    proxies.set(name, proxy);
    [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
    // Without a path the address had no slash at its end, either.
    return address.endsWith('/') ? url.toString() : url.toString().replace(/\/$/, '');
  };
  const filesUrl = await via('files', files.url);
  return {
    proxies,
    filesUrl,
    between: async (facts) => {
      const databaseUrls: ProductFacts['databaseUrls'] = { ...facts.databaseUrls };
      for (const name of DATABASES) {
        const urls = facts.databaseUrls[name as ProcessName];
        if (urls === undefined) throw new Error(`${name} has no database`);
        databaseUrls[name] = { ...urls, runtime: await via(`postgres ${name}`, urls.runtime) };
      }
      const innerUrls = { ...facts.innerUrls };
      for (const name of DOORS) innerUrls[name] = await via(`door of ${name}`, innerUrls[name]);
      return {
        ...facts,
        databaseUrls,
        innerUrls,
        natsUrl: await via('nats', facts.natsUrl),
        redisUrl: await via('redis', facts.redisUrl),
        urls: {
          ...facts.urls,
          sandbox: await via('provider', facts.urls.sandbox),
          witness: await via('witness', facts.urls.witness),
        },
      };
    },
    close: async () => void (await Promise.all([...proxies.values()].map((proxy) => proxy.close()))),
  };
}
