/** Connections are cut under load, between the services and everything that they use; then rows and files are compared. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3Stub } from '@karaar/testing/providers/s3-stub';
import type { Measured } from '../../lib/parts.ts';
import { databasesOf } from '../../lib/product.ts';
import { row, type Row } from '../../lib/report.ts';
import { isSmoke } from '../../lib/smoke.ts';
import { runFaults, withBundles, type Ending } from '../run.ts';
import { Cutter, type Lot } from './cutter.ts';
import { compareFiles, refusals } from './files.ts';
import { DOORS, startLinks, type LinkName } from './links.ts';

/** How often each database is chosen: those of money most. */
const OF_DATABASE = {
  ...{ payments: 4, wallet: 4, documents: 4 },
  ...{ auth: 1, messaging: 2, notifications: 2, cms: 1 },
} as const;
const lots = (link: LinkName, answer: number, bytes: number, silence: number): Lot<LinkName>[] => [
  { link, kind: 'answer', weight: answer },
  { link, kind: 'bytes', weight: bytes },
  { link, kind: 'silence', weight: silence },
];
const LOTS: readonly Lot<LinkName>[] = [
  ...Object.entries(OF_DATABASE).flatMap(([name, often]) => {
    const link = `postgres ${name as keyof typeof OF_DATABASE}` as const;
    const commit = { link, kind: 'commit', weight: 4 * often } as const;
    return [commit, ...lots(link, 2 * often, often, Math.ceil(often / 2))];
  }),
  ...(['nats', 'redis', 'files', 'provider'] as const).flatMap((link) => lots(link, 6, 6, 2)),
  ...DOORS.flatMap((name) => lots(`internal port of ${name}`, 6, 6, 2)),
  // Asked seldom: once for a new head of the log.
  ...lots('witness', 2, 2, 1),
  { link: 'files', kind: 'refused', weight: 6 },
];

export async function measureCuts(times: number, ending: Ending): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-cuts-'));
  // A file, as the converter refuses to start with anything in its environment that looks like a secret.
  const awsConfig = join(folder, 'aws');
  await writeFile(awsConfig, '[default]\naws_access_key_id = bench\naws_secret_access_key = bench\n');
  const files = await startS3Stub();
  const links = await startLinks(files);
  const env = {
    BLOB_S3_BUCKET: files.bucket,
    BLOB_S3_ENDPOINT: links.filesUrl,
    BLOB_S3_REGION: 'ap-south-1',
    BLOB_S3_PATH_STYLE: 'true',
    AWS_CONFIG_FILE: awsConfig,
  };
  try {
    return await withBundles({ between: links.between, env }, [], (product) => {
      const { proxies } = links;
      const cutter = new Cutter({ proxies, lots: LOTS, refuse: refusals(files), pauseMs: 700 });
      const rowsOfHarm = (): Row[] => [
        row('… between COMMIT and its answer', cutter.times('commit'), '', {
          atLeast: isSmoke ? undefined : Math.floor(times / 4),
        }),
        ...cutter.rows(),
        row(
          'silent connections that are still in use',
          [...proxies.values()].reduce((sum, proxy) => sum + proxy.silent(), 0),
        ),
        row('times that a link was slow', cutter.delays),
      ];
      const checks = async (): Promise<Row[]> => {
        const found = await compareFiles(files, databasesOf(product));
        for (const path of found.missing.slice(0, 20)) console.log(`MISSING ${path}`);
        return [
          row('files that rows name', found.named, '', { atLeast: 1 }),
          row('rows that name a missing file', found.missing.length, '', { atMost: 0 }),
          row('files that no row names', found.unnamed.length),
          row('… and that the janitor does not list', found.forgotten.length, '', { atMost: 0 }),
        ];
      };
      const plan = { reach: 'all', times, ending, tellEvery: 100, settleMs: 60_000 } as const;
      return runFaults(product, cutter, { ...plan, rowsOfHarm, checks });
    });
  } finally {
    await links.close();
    await files.close();
    await rm(folder, { recursive: true, force: true });
  }
}
