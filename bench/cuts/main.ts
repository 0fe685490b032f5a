/**
 * `npm run bench -- cuts [CUTS]`: 2,000 connections are cut under load, between the services and PostgreSQL, NATS, Redis, the file
 * store, the card provider, the log's witness and the inner doors at which payments asks; a third of them after a COMMIT and before
 * its answer. Some go silent for good, and their clients have to notice. `BENCH_SECONDS` limits it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@karaar/dev/product';
import { makeModels } from '@karaar/testing/faces/models';
import { startS3Stub } from '@karaar/testing/providers/s3-stub';
import { endingOf } from '../faults/ending.ts';
import { SERVICES } from '../faults/killer.ts';
import { databasesOf, runFaults } from '../faults/run.ts';
import { unlimited } from '../faults/unlimited.ts';
import { bundled } from '../lib/bundles.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { Cutter, type Lot } from './cutter.ts';
import { compareFiles, refusals } from './files.ts';
import { DATABASES, DOORS, startLinks, type LinkName } from './links.ts';

/** How often each database is chosen: those of money most. */
const OF_DATABASE = {
  payments: 4,
  wallet: 4,
  documents: 4,
  auth: 1,
  messaging: 2,
  notifications: 2,
  cms: 1,
} as const;
const LOTS: readonly Lot<LinkName>[] = [
  ...DATABASES.flatMap((name): Lot<LinkName>[] => {
    const [link, often] = [`postgres ${name}` as const, OF_DATABASE[name]];
    return [
      { link, kind: 'commit', weight: 4 * often },
      { link, kind: 'answer', weight: 2 * often },
      { link, kind: 'bytes', weight: often },
      { link, kind: 'silence', weight: Math.ceil(often / 2) },
    ];
  }),
  ...[
    ...(['nats', 'redis', 'files', 'provider'] as const),
    ...DOORS.map((name) => `door of ${name}` as const),
  ].flatMap((link): Lot<LinkName>[] => [
    { link, kind: 'answer', weight: 6 },
    { link, kind: 'bytes', weight: 6 },
    { link, kind: 'silence', weight: 2 },
  ]),
  // Asked seldom: once for a new head of the log.
  { link: 'witness', kind: 'answer', weight: 2 },
  { link: 'witness', kind: 'bytes', weight: 2 },
  { link: 'witness', kind: 'silence', weight: 1 },
  { link: 'files', kind: 'refused', weight: 6 },
];
const SETTLE_MS = 60_000;

const cuts = Number(process.argv[2] ?? (isSmoke ? 8 : 2_000));
const seconds = Number(process.env['BENCH_SECONDS'] ?? 900);
if (!Number.isInteger(cuts) || cuts < 1) throw new Error('Usage: npm run bench -- cuts [CUTS]');

const ending = endingOf(seconds);
const folder = await mkdtemp(join(tmpdir(), 'karaar-cuts-'));
console.log('bundling the parts as their images have them');
const entries = await bundled(isSmoke ? [] : SERVICES, join(folder, 'bundles'));
// A file, as the converter refuses to start with anything in its environment that looks like a secret.
const awsConfig = join(folder, 'aws');
await writeFile(awsConfig, '[default]\naws_access_key_id = bench\naws_secret_access_key = bench\n');
const files = await startS3Stub();
const links = await startLinks(files);
const product = await startProduct({
  stateDir: join(folder, 'state'),
  entries,
  quiet: true,
  web: false,
  restartPauseMs: 20,
  between: links.between,
  env: {
    LOG_LEVEL: 'error',
    MODELS_DIR: await makeModels(),
    BLOB_S3_BUCKET: files.bucket,
    BLOB_S3_ENDPOINT: links.filesUrl,
    BLOB_S3_REGION: 'ap-south-1',
    BLOB_S3_PATH_STYLE: 'true',
    AWS_CONFIG_FILE: awsConfig,
    ...unlimited,
  },
});

const none = { atMost: 0 };
const some = { atLeast: 1 };
/** Takes longer than a smoke. */
const someInTime = isSmoke ? undefined : some;
const count = (what: string, value: number, budget?: Row['budget'], note?: string): Row => ({
  ...{ what, value, unit: '' },
  ...(budget === undefined ? {} : { budget }),
  ...(note === undefined ? {} : { note }),
});

/** Cuts of each link, by kind. */
const linkRows = ({ byLink }: Cutter<LinkName>): Row[] =>
  [...byLink]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([link, kinds]) =>
      count(
        link,
        [...kinds.values()].reduce((a, b) => a + b, 0),
        undefined,
        [...kinds].map(([kind, n]) => `${kind} ${n}`).join(', '),
      ),
    );

try {
  const cutter = new Cutter({ proxies: links.proxies, lots: LOTS, refuse: refusals(files), pauseMs: 700 });
  const run = await runFaults(product, cutter, {
    ...{ reach: 'all', times: cuts, tellEvery: 100, settleMs: SETTLE_MS },
    ...{ ending, log: console.log },
  });
  const found = await compareFiles(files, databasesOf(product));
  const { told } = run;
  for (const fault of [...run.lost, ...run.doubled, ...run.ledgerFaults, ...run.wrong].slice(0, 40))
    console.log(`FAULT ${fault}`);
  for (const path of found.missing.slice(0, 20)) console.log(`MISSING ${path}`);
  for (const open of run.underWay) console.log(`STILL UNDER WAY ${open}`);
  process.exitCode = report({
    name: 'cuts',
    rows: [
      count('cuts', cutter.done, { atLeast: cuts }, run.endedBy && `ended early: ${run.endedBy}`),
      count(
        '… between COMMIT and its answer',
        cutter.times('commit'),
        isSmoke ? undefined : { atLeast: Math.floor(cuts / 4) },
      ),
      ...linkRows(cutter),
      count(
        'silent connections that are still in use',
        [...links.proxies.values()].reduce((sum, proxy) => sum + proxy.silent(), 0),
        undefined,
        [...links.proxies]
          .flatMap(([name, { silent }]) => (silent() > 0 ? [`${name} ${silent()}`] : []))
          .join(', '),
      ),
      count('times that a link was slow', cutter.delays),
      count('payments told as completed', told.paid.size, some),
      count('card payments captured', told.captured.size, some),
      count('payments refused for the balance', told.refused),
      count('payments reversed by an admin', told.reversed.size),
      count('refunds to cards', told.refunds.size, someInTime),
      count('disputes', told.disputes.size, someInTime),
      count('messages sent', told.messages.size, some),
      count(
        '… with a file',
        [...told.messages.values()].filter(({ withFile }) => withFile).length,
        someInTime,
      ),
      count('drafts kept, of files sent early', told.drafts.size, someInTime),
      count('agreements left by a party', told.left.size, someInTime),
      count('people registered', told.people.size, someInTime),
      count('agreements sealed', told.sealed.size, someInTime),
      count('pages published', told.pages.size, someInTime),
      count('transfers', run.transfers),
      count('files that rows name', found.named, some),
      count('lost', run.lost.length, none),
      count('doubled', run.doubled.length, none),
      count('rows that name a missing file', found.missing.length, none),
      count('files that no row names', found.unnamed.length),
      count('… and that the janitor does not list', found.forgotten.length, none),
      count('faults of the ledger, negative balances', run.ledgerFaults.length, none),
      { ...count('|Σ entries|', Math.abs(Number(run.totalPaise)), none), unit: 'paise' },
      count('wrong answers and states', run.wrong.length, none),
      count('still under way after 60 s', run.underWay.length, none),
    ],
    data: {
      ...{ ...run, told: undefined, files: found },
      cuts: Object.fromEntries([...cutter.byLink].map(([link, kinds]) => [link, Object.fromEntries(kinds)])),
    },
  });
} finally {
  await product.stop({ remove: true });
  await links.close();
  await files.close();
  await rm(folder, { recursive: true, force: true });
}
