import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PUBLISHERS } from '@karaar/contracts/names';
import type { ProductFacts } from '@karaar/dev/processes/services';
import { startS3Stub } from '@karaar/testing/providers/s3-stub';
import { scratch } from '@karaar/testing/scratch';
import type { TestProxy } from '@karaar/testing/servers/proxy';
import { databasesOf } from '../../lib/product.ts';
import { none, row, type Measured } from '../../lib/report.ts';
import { isSmoke } from '../../lib/smoke.ts';
import { runFaults, withBundles } from '../run.ts';
import { Cutter, via, type Lot } from './cutter.ts';
import { compareFiles, refusals } from './files.ts';

/** The services whose internal ports payments calls. */
const INTERNAL = ['documents', 'wallet'] as const;
/** The relative frequency of each database; those that handle money most. */
const OF_DATABASE = {
  ...{ payments: 4, wallet: 4, documents: 4 },
  ...{ auth: 1, messaging: 2, notifications: 2, cms: 1 },
} as const;
const lots = (link: string, answer: number, bytes: number, silence: number): Lot[] => [
  { link, kind: 'answer', weight: answer },
  { link, kind: 'bytes', weight: bytes },
  { link, kind: 'silence', weight: silence },
];
const LOTS: readonly Lot[] = [
  ...PUBLISHERS.flatMap((name): Lot[] => {
    const often = OF_DATABASE[name];
    const link = `postgres ${name}`;
    return [
      { link, kind: 'commit', weight: 4 * often },
      ...lots(link, 2 * often, often, Math.ceil(often / 2)),
    ];
  }),
  ...['nats', 'redis', 'files', 'provider'].flatMap((link) => lots(link, 6, 6, 2)),
  ...INTERNAL.flatMap((name) => lots(`internal port of ${name}`, 6, 6, 2)),
  // The witness is called rarely: once for each new head of the log.
  ...lots('witness', 2, 2, 1),
  { link: 'files', kind: 'refused', weight: 6 },
];

type Link = (name: string, url: string) => Promise<string>;

/** Puts proxies between the processes of a product and the servers they use. */
async function between(facts: ProductFacts, link: Link): Promise<ProductFacts> {
  const databaseUrls = { ...facts.databaseUrls };
  // One proxy for each database, so that rare commits are cut as well.
  for (const name of PUBLISHERS) {
    const urls = facts.databaseUrls[name];
    if (urls === undefined) throw new Error(`${name} has no database`);
    databaseUrls[name] = { ...urls, runtime: await link(`postgres ${name}`, urls.runtime) };
  }
  const innerUrls = { ...facts.innerUrls };
  for (const name of INTERNAL) innerUrls[name] = await link(`internal port of ${name}`, innerUrls[name]);
  const sandbox = await link('provider', facts.urls.sandbox);
  const witness = await link('witness', facts.urls.witness);
  return {
    ...facts,
    databaseUrls,
    innerUrls,
    natsUrl: await link('nats', facts.natsUrl),
    redisUrl: await link('redis', facts.redisUrl),
    urls: { ...facts.urls, sandbox, witness },
  };
}

/** Cuts connections under load, between the services and the servers they use; then compares rows and files. */
export async function measureCuts(times: number, signal: AbortSignal): Promise<Measured> {
  const { dir, remove } = scratch();
  // A file, because the converter refuses to start with a secret in its environment.
  const awsConfig = join(dir, 'aws');
  await writeFile(awsConfig, '[default]\naws_access_key_id = bench\naws_secret_access_key = bench\n');
  const files = await startS3Stub();
  const proxies = new Map<string, TestProxy>();
  const link: Link = (name, url) => via(url, (proxy) => proxies.set(name, proxy));
  const env = {
    BLOB_S3_BUCKET: files.bucket,
    BLOB_S3_ENDPOINT: await link('files', files.url),
    BLOB_S3_REGION: 'ap-south-1',
    BLOB_S3_PATH_STYLE: 'true',
    AWS_CONFIG_FILE: awsConfig,
  };
  try {
    return await withBundles({ between: (facts) => between(facts, link), env }, [], (product) => {
      const cutter = new Cutter({ proxies, lots: LOTS, refuse: refusals(files), pauseMs: 700 });
      const checks = async () => {
        const { named, missing, forgotten } = await compareFiles(files, databasesOf(product));
        for (const path of missing.slice(0, 20)) console.log(`MISSING ${path}`);
        return [
          row('cuts between COMMIT and its answer', cutter.times('commit'), '', {
            atLeast: isSmoke ? undefined : Math.floor(times / 4),
          }),
          row('files that rows name', named, '', { atLeast: 1 }),
          none('rows that name a missing file', missing.length),
          none('files that no row names, and that the janitor does not list', forgotten.length),
        ];
      };
      return runFaults(product, cutter, { times, signal, settleMs: 60_000, checks });
    });
  } finally {
    await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    await files.close();
    remove();
  }
}
