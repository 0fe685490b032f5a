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
import { inTurns, ratioOf, type Peer } from '../lib/peers.ts';
import { cpuMs, startChild, type Child } from '../lib/process.ts';
import { report } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { startNginx } from './nginx.ts';

const ROUNDS = size('BENCH_ROUNDS', 6, 1);
const ROUND_MS = size('BENCH_ROUND_MS', 3_000, 200);
const WARM_UP_MS = isSmoke ? 200 : 3_000;
const CONNECTIONS = 64;
const PATH = '/wallet/balance';
/** Arrivals per second for the latency: what a small deployment sees, far below saturation. */
const RATE = isSmoke ? 100 : 1_000;
const LATENCY_ROUNDS = size('BENCH_LATENCY_ROUNDS', 5, 1);
const LATENCY_MS = isSmoke ? 300 : 4_000;

async function atRate(child: Child, path: string, headers: Record<string, string>): Promise<FixedRateResult> {
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

const sum = (results: readonly FixedRateResult[], key: 'dropped' | 'failed'): number =>
  results.reduce((all, result) => all + result[key], 0);

type Sample = { throughput: number; failed: number; cpuMicros: number };

const backing = await startBacking({
  stateDir: mkdtempSync(join(tmpdir(), 'karaar-bench-')),
  only: ['redis'],
  env: {},
});
const tokens = await startTokenIssuer();
const children: Child[] = [];
try {
  const sessionId = randomUUID();
  const redis = new Redis(backing.redisUrl);
  await redis.set(`session:${sessionId}`, 'active', 'EX', 3_600);
  await redis.quit();
  const headers = { authorization: `Bearer ${await tokens.user({ sessionId })}` };

  const upstream = await startChild(new URL('./upstream.ts', import.meta.url));
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const env = { REDIS_URL: backing.redisUrl, JWKS_URL: tokens.jwksUrl, UPSTREAM: upstreamUrl };
  const gateway = await startChild(new URL('./ours.ts', import.meta.url), {
    ...env,
    PORT: '0',
    NATS_URL: 'nats://127.0.0.1:1',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    CONNECTIONS_PER_ADDRESS: '1000000000',
    REQUESTS_PER_ADDRESS: '1000000000',
    LONG_PER_ADDRESS: '1000000000',
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, upstreamUrl])),
  });
  const fastify = await startChild(new URL('./fastify-proxy.ts', import.meta.url), env);
  const bare = await startChild(new URL('./bare.ts', import.meta.url), env);
  const nginx = await startNginx(upstream.port);
  children.push(upstream, gateway, fastify, bare, nginx);

  const run = async (child: Child, path: string, durationMs: number): Promise<Sample> => {
    const before = cpuMs(child.pid);
    const result = await flood({ port: child.port, path, headers, connections: CONNECTIONS, durationMs });
    const cpuMicros = ((cpuMs(child.pid) - before) * 1_000) / result.completed;
    return { throughput: result.throughput, failed: result.failed, cpuMicros };
  };
  const targets = [
    { name: 'gateway', child: gateway, path: `/api${PATH}` },
    { name: '@fastify/http-proxy', child: fastify, path: `/api${PATH}` },
    { name: 'bare undici dispatch', child: bare, path: `/api${PATH}` },
    { name: 'nginx', child: nginx, path: `/api${PATH}` },
    { name: 'direct', child: upstream, path: PATH },
  ];
  for (const { name, child, path } of targets) {
    console.log(`warming up: ${name}`);
    await run(child, path, WARM_UP_MS);
  }
  const peers: Peer<Sample>[] = targets.map(({ name, child, path }) => ({
    name,
    measure: () => run(child, path, ROUND_MS),
  }));
  const samples = await inTurns(peers, ROUNDS, (line) => console.log(line));

  const latencies = await inTurns(
    targets.map(({ name, child, path }) => ({ name, measure: () => atRate(child, path, headers) })),
    LATENCY_ROUNDS,
    (line) => console.log(`latency at ${RATE}/s, ${line}`),
  );

  const of = (name: string, key: keyof Sample) => (samples.get(name) ?? []).map((sample) => sample[key]);
  const atRateOf = (name: string) => latencies.get(name) ?? [];
  const p99Of = (name: string) => atRateOf(name).map(({ latency }) => latency.p99);
  const failed = targets.reduce((sum, { name }) => sum + of(name, 'failed').reduce((a, b) => a + b, 0), 0);
  process.exitCode = report({
    name: 'gateway',
    rows: [
      ...targets.map(({ name }) => ({
        what: name,
        value: median(of(name, 'throughput')),
        unit: 'answers/s',
        note: `${median(of(name, 'cpuMicros')).toFixed(1)} µs of processor time per answer`,
      })),
      {
        what: 'gateway ÷ @fastify/http-proxy',
        value: ratioOf(of('gateway', 'throughput'), of('@fastify/http-proxy', 'throughput')),
        unit: '×',
        budget: { atLeast: 1 },
        note: 'both check the same token',
      },
      {
        what: 'gateway ÷ nginx (one worker)',
        value: ratioOf(of('gateway', 'throughput'), of('nginx', 'throughput')),
        unit: '×',
        note: 'nginx with the same headers and limits, but no token check',
      },
      {
        what: 'gateway ÷ bare undici dispatch',
        value: ratioOf(of('gateway', 'throughput'), of('bare undici dispatch', 'throughput')),
        unit: '×',
        note: 'which does nothing but forward',
      },
      {
        what: 'gateway ÷ @fastify/http-proxy, by processor time',
        value: ratioOf(of('@fastify/http-proxy', 'cpuMicros'), of('gateway', 'cpuMicros')),
        unit: '×',
        note: 'of the main thread; waiting for a core is not in it',
      },
      {
        what: 'gateway ÷ nginx, by processor time',
        value: ratioOf(of('nginx', 'cpuMicros'), of('gateway', 'cpuMicros')),
        unit: '×',
      },
      {
        what: 'failed requests',
        value: failed + sum(atRateOf('gateway'), 'failed') + sum(atRateOf('gateway'), 'dropped'),
        unit: '',
        budget: { atMost: 0 },
      },
      ...targets.map(({ name }) => ({
        what: `${name}: p99 at ${RATE}/s`,
        value: median(p99Of(name)),
        unit: 'ms',
        note: `p50 ${median(atRateOf(name).map(({ latency }) => latency.p50)).toFixed(2)} ms; dropped ${sum(atRateOf(name), 'dropped')}, failed ${sum(atRateOf(name), 'failed')}`,
      })),
      {
        what: `p99 at ${RATE}/s: gateway ÷ bare undici dispatch`,
        value: ratioOf(p99Of('gateway'), p99Of('bare undici dispatch')),
        unit: '×',
        budget: { atMost: 1.5 },
        note: `median of ${LATENCY_ROUNDS} rounds in turns, on ${availableParallelism()} cores`,
      },
    ],
    data: { samples: Object.fromEntries(samples), latencies: Object.fromEntries(latencies) },
  });
} finally {
  for (const child of children) await child.stop();
  await tokens.stop();
  await backing.stop({ remove: true });
}
