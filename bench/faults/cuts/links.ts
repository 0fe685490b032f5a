/**
 * Proxies between the services and everything that they use: PostgreSQL by database, NATS, Redis, the file store, the card
 * provider, the log's witness, and the internal ports at which payments asks.
 */
import type { ProductFacts } from '@karaar/dev/processes/services';
import type { S3Stub } from '@karaar/testing/providers/s3-stub';
import { WITH_DATABASE, type Databases } from '../../lib/product.ts';
import { via, type CutProxy } from './cut-proxy.ts';

/** Services that payments asks for the events of a payment. */
export const DOORS = ['documents', 'wallet'] as const;
export type LinkName =
  | `postgres ${keyof Databases}`
  | `internal port of ${(typeof DOORS)[number]}`
  | 'nats'
  | 'redis'
  | 'files'
  | 'provider'
  | 'witness';

export type Links = {
  /** By name; those of the product are there once its addresses are known. */
  proxies: Map<LinkName, CutProxy>;
  /** Gives every process the proxies' addresses. */
  between: (events: ProductFacts) => Promise<ProductFacts>;
  /** Where the file store is reached. */
  filesUrl: string;
  close: () => Promise<void>;
};

/** @param files the store of all services */
export async function startLinks(files: S3Stub): Promise<Links> {
  const proxies = new Map<LinkName, CutProxy>();
  const link = (name: LinkName, address: string): Promise<string> =>
    via(address, name.startsWith('postgres'), (proxy) => proxies.set(name, proxy));
  return {
    proxies,
    filesUrl: await link('files', files.url),
    between: async (events) => {
      const databaseUrls = { ...events.databaseUrls };
      // Each database has a proxy of its own, so that seldom commits are hit as well.
      for (const name of WITH_DATABASE) {
        const urls = events.databaseUrls[name];
        if (urls === undefined) throw new Error(`${name} has no database`);
        databaseUrls[name] = { ...urls, runtime: await link(`postgres ${name}`, urls.runtime) };
      }
      const innerUrls = { ...events.innerUrls };
      for (const name of DOORS) innerUrls[name] = await link(`internal port of ${name}`, innerUrls[name]);
      const sandbox = await link('provider', events.urls.sandbox);
      const witness = await link('witness', events.urls.witness);
      return {
        ...events,
        databaseUrls,
        innerUrls,
        natsUrl: await link('nats', events.natsUrl),
        redisUrl: await link('redis', events.redisUrl),
        urls: { ...events.urls, sandbox, witness },
      };
    },
    close: async () => void (await Promise.all([...proxies.values()].map((proxy) => proxy.close()))),
  };
}
