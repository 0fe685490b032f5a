/**
 * What one call costs each part in processor time, and how many cores so many requests a second take: the figures of
 * "How it grows" in docs/operations.md. Processor time and not waiting is measured, so that a busy machine does little.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@karaar/dev/product';
import { faceImage } from '@karaar/testing/faces/faces';
import { until } from '@karaar/testing/until';
import pg from 'pg';
import { approvedAgreement } from '../faults/agreements.ts';
import { signIn } from '../faults/people.ts';
import { databasesOf, sendAs } from '../faults/run.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { parentOf, processorMs } from './processor-time.ts';

const CALLS = size('BENCH_CALLS', 600, 40);
const PHOTOS = isSmoke ? 4 : 40;
const SEALS = isSmoke ? 1 : 4;
const ROOM = '10000000';
/** Of a thousand requests: what people look at, photos that are judged, documents that are sealed. */
const MIX = { list: 400, document: 584, photo: 15, seal: 1 } as const;
type Kind = keyof typeof MIX;
const PARTS = ['gateway', 'auth', 'documents', 'vision', 'postgres'] as const;
type Costs = Record<(typeof PARTS)[number], number>;

const keepAlive = setInterval(() => undefined, 60_000);
const product = await startProduct({
  stateDir: await mkdtemp(join(tmpdir(), 'karaar-capacity-')),
  quiet: true,
  web: false,
  env: {
    LOG_LEVEL: 'warn',
    RATE_LIMIT_SENSITIVE_PER_MINUTE: ROOM,
    INVITATIONS_PER_USER_AND_DAY: ROOM,
    RATE_LIMIT_PER_MINUTE: ROOM,
    CONNECTIONS_PER_ADDRESS: ROOM,
    REQUESTS_PER_ADDRESS: ROOM,
    LONG_PER_ADDRESS: ROOM,
  },
});

async function postmaster(): Promise<number> {
  const client = new pg.Client({ connectionString: databasesOf(product).documents });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return pid;
}

try {
  const [owner, guest] = await Promise.all([
    signIn(product.url, '+919000000001'),
    signIn(product.url, '+919000000002'),
  ]);
  const agreement = () =>
    approvedAgreement(owner, guest, (who) => (path, form) => sendAs(product.url, who, path, form));
  const ids: string[] = [];
  while (ids.length < SEALS + 1) ids.push(await agreement());
  const [first = '', ...others] = ids;
  const roots: Record<string, number> = { postgres: await postmaster() };
  for (const { name, pid } of product.processes) roots[name] = pid;

  const get = async (path: string) => {
    const response = await fetch(`${product.url}/api${path}`, { headers: owner.headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  };
  const face = new Blob([new Uint8Array(await faceImage({ width: 1280, height: 720 }))], {
    type: 'image/jpeg',
  });
  const work: Record<Kind, { times: number; run: (nth: number) => Promise<unknown> }> = {
    list: { times: CALLS, run: () => get('/documents/my-documents') },
    document: { times: CALLS, run: () => get(`/documents/${first}`) },
    photo: {
      times: PHOTOS,
      run: () => {
        const form = new FormData();
        form.append('detect_type', 'faces');
        form.append('image', face, 'face.jpg');
        return sendAs(product.url, owner, '/documents/verification/validate', form);
      },
    },
    seal: {
      times: SEALS,
      run: async (nth) => {
        const id = others[nth] ?? '';
        await fetch(`${product.url}/api/documents/${id}/finalize`, {
          method: 'PATCH',
          headers: owner.headers,
          body: new FormData(),
        });
        await until(
          'it is sealed',
          async () => {
            const { body } = await owner.call('GET', `/documents/${id}`);
            return body['status'] === 'finalized';
          },
          60_000,
        );
      },
    },
  };
  const used = (part: string) => processorMs(roots[part] ?? 0);
  const measure = async (kind: Kind): Promise<Costs> => {
    const { times, run } = work[kind];
    // Compilers and caches are warm in a process that has been up for a day.
    if (kind !== 'seal') for (let i = 0; i < times / 4; i += 1) await run(i);
    const before = PARTS.map(used);
    for (let i = 0; i < times; i += 1) await run(i);
    const costs = PARTS.map((part, i) => [part, (used(part) - (before[i] ?? 0)) / times] as const);
    return Object.fromEntries(costs) as Costs;
  };
  const costs: Record<Kind, Costs> = {
    list: await measure('list'),
    document: await measure('document'),
    photo: await measure('photo'),
    seal: await measure('seal'),
  };
  const kinds = Object.keys(MIX) as Kind[];
  const each: Row[] = kinds.flatMap((kind) =>
    PARTS.filter((part) => costs[kind][part] >= 0.05).map((part) => ({
      what: `${kind}: ${part}`,
      value: costs[kind][part],
      unit: 'ms of a processor',
    })),
  );
  const cores: Row[] = PARTS.map((part) => ({
    what: `1,000 requests/s: ${part}`,
    value: kinds.reduce((sum, kind) => sum + MIX[kind] * costs[kind][part], 0) / 1_000,
    unit: 'cores',
    note: 'twice as many keep a half in reserve',
  }));
  process.exitCode = report({ name: 'capacity', rows: [...each, ...cores], data: { costs, mix: MIX } });
} finally {
  await product.stop({ remove: true });
  clearInterval(keepAlive);
}
