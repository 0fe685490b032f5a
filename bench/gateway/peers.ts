/**
 * The gateway against its peers (design §4): 1 KB of JSON, token checked, all in front of the same
 * service, in the same run, in turns.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { startBacking } from '@karaar/testing/backing/backing';
import { startTokenIssuer } from '@karaar/testing/people/tokens';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import { flood } from '../lib/http-flood.ts';
import type { Measured } from '../lib/parts.ts';
import { inTurns, ratioOf } from '../lib/peers.ts';
import { mainThreadMs, startChild, type Child } from '../lib/process.ts';
import { row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';

const ROUNDS = size('BENCH_ROUNDS', 6, 1);
const ROUND_MS = size('BENCH_ROUND_MS', 3_000, 200);
const WARM_UP_MS = isSmoke ? 200 : 3_000;
const CONNECTIONS = 64;
const PATH = '/wallet/balance';
/** Arrivals per second for the latency: what a small deployment sees, far below saturation. */
const RATE = isSmoke ? 100 : 1_000;
const LATENCY_ROUNDS = size('BENCH_LATENCY_ROUNDS', 5, 1);
const LATENCY_MS = isSmoke ? 300 : 4_000;
const NO_LIMIT = '1000000000';

type Target = { name: string; child: Child; path: string };
type Headers = Record<string, string>;
type Sample = { throughput: number; failed: number; cpuMicros: number };

async function atRate({ child, path }: Target, headers: Headers): Promise<FixedRateResult> {
  const pool = new Pool(`http://127.0.0.1:${child.port}`, { connections: CONNECTIONS });
  const task = async () => {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  };
  const result = await fixedRate({ rate: RATE, durationMs: LATENCY_MS, warmUpMs: 1_000, task });
  await pool.close();
  return result;
}

async function saturated({ child, path }: Target, headers: Headers, durationMs: number): Promise<Sample> {
  const before = mainThreadMs(child.pid);
  const { throughput, failed, completed } = await flood({
    ...{ port: child.port, path, headers },
    ...{ connections: CONNECTIONS, durationMs },
  });
  const cpuMicros = ((mainThreadMs(child.pid) - before) * 1_000) / completed;
  return { throughput, failed, cpuMicros };
}

export async function measurePeers(): Promise<Measured> {
  const stateDir = mkdtempSync(join(tmpdir(), 'karaar-bench-'));
  const backing = await startBacking({ stateDir, only: ['redis'], env: {} });
  const tokens = await startTokenIssuer();
  const children: Child[] = [];
  const start = async (script: string, env: Record<string, string> = {}): Promise<Child> => {
    const child = await startChild(new URL(script, import.meta.url), env);
    children.push(child);
    return child;
  };
  try {
    const sessionId = randomUUID();
    const redis = new Redis(backing.redisUrl);
    await redis.set(`session:${sessionId}`, 'active', 'EX', 3_600);
    await redis.quit();
    const headers = { authorization: `Bearer ${await tokens.user({ sessionId })}` };

    const upstream = await start('./upstream.ts');
    const url = `http://127.0.0.1:${upstream.port}`;
    const env = { REDIS_URL: backing.redisUrl, JWKS_URL: tokens.jwksUrl, UPSTREAM: url };
    const ours = {
      ...env,
      PORT: '0',
      NATS_URL: 'nats://127.0.0.1:1',
      RATE_LIMIT_PER_MINUTE: NO_LIMIT,
      CONNECTIONS_PER_ADDRESS: NO_LIMIT,
      REQUESTS_PER_ADDRESS: NO_LIMIT,
      LONG_PER_ADDRESS: NO_LIMIT,
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, url])),
    };
    const targets: Target[] = [
      { name: 'gateway', child: await start('./ours.ts', ours), path: `/api${PATH}` },
      { name: '@fastify/http-proxy', child: await start('./fastify-proxy.ts', env), path: `/api${PATH}` },
      { name: 'bare undici dispatch', child: await start('./bare.ts', env), path: `/api${PATH}` },
      { name: 'direct', child: upstream, path: PATH },
    ];
    for (const target of targets) await saturated(target, headers, WARM_UP_MS);
    const samples = await inTurns(
      targets.map((target) => ({ name: target.name, measure: () => saturated(target, headers, ROUND_MS) })),
      ROUNDS,
      console.log,
    );
    const latencies = await inTurns(
      targets.map((target) => ({ name: target.name, measure: () => atRate(target, headers) })),
      LATENCY_ROUNDS,
      (line) => console.log(`latency at ${RATE}/s, ${line}`),
    );

    const of = (name: string, key: keyof Sample) => (samples.get(name) ?? []).map((sample) => sample[key]);
    const paced = (name: string, pick: (result: FixedRateResult) => number) =>
      (latencies.get(name) ?? []).map(pick);
    const p99 = (name: string) => paced(name, ({ latency }) => latency.p99);
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
    const missed = (name: string) => sum(paced(name, ({ failed, dropped }) => failed + dropped));
    const [gateway, fastify, bare] = ['gateway', '@fastify/http-proxy', 'bare undici dispatch'] as const;
    const failures = targets.map(({ name }) => ({ name, failed: sum(of(name, 'failed')) }));
    const failed = sum(failures.map((one) => one.failed)) + missed(gateway);
    const rows = [
      ...targets.map(({ name }) =>
        row(name, median(of(name, 'throughput')), 'answers/s', {
          note: `${median(of(name, 'cpuMicros')).toFixed(1)} µs of processor time per answer`,
        }),
      ),
      row(`${gateway} ÷ ${fastify}`, ratioOf(of(gateway, 'throughput'), of(fastify, 'throughput')), '×', {
        atLeast: 1,
        note: 'both check the same token',
      }),
      row(`${gateway} ÷ ${bare}`, ratioOf(of(gateway, 'throughput'), of(bare, 'throughput')), '×', {
        note: 'which does nothing but forward',
      }),
      row(
        `${gateway} ÷ ${fastify}, by processor time`,
        ratioOf(of(fastify, 'cpuMicros'), of(gateway, 'cpuMicros')),
        '×',
        { note: 'of the main thread; waiting for a core is not in it' },
      ),
      row('failed requests', failed, '', {
        atMost: 0,
        note: failures.map((one) => `${one.name} ${one.failed}`).join(', '),
      }),
      ...targets.map(({ name }) =>
        row(`${name}: p99 at ${RATE}/s`, median(p99(name)), 'ms', {
          note: `p50 ${median(paced(name, ({ latency }) => latency.p50)).toFixed(2)} ms; failed or dropped ${missed(name)}`,
        }),
      ),
      row(`p99 at ${RATE}/s: ${gateway} ÷ ${bare}`, ratioOf(p99(gateway), p99(bare)), '×', {
        atMost: 1.5,
        note: `median of ${LATENCY_ROUNDS} rounds in turns, on ${availableParallelism()} cores`,
      }),
    ];
    return {
      rows,
      data: { samples: Object.fromEntries(samples), latencies: Object.fromEntries(latencies) },
    };
  } finally {
    for (const child of children) await child.stop();
    await tokens.stop();
    await backing.stop({ remove: true });
  }
}
