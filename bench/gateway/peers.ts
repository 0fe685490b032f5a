/** The gateway and its peers in front of one service (design §4): 1 KB of JSON, token checked, in turns. */
import { availableParallelism } from 'node:os';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import { startBacking } from '@karaar/testing/backing/backing';
import { activeSession } from '@karaar/testing/people/sessions';
import { startTokenIssuer } from '@karaar/testing/people/tokens';
import { scratch } from '@karaar/testing/scratch';
import { Pool } from 'undici';
import { closedLoop } from '../lib/closed-loop.ts';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import type { Measured } from '../lib/parts.ts';
import { inTurns, ratioOf } from '../lib/peers.ts';
import { mainThreadMs, startChild, type Child } from '../lib/process.ts';
import { none, row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { Connection } from './connection.ts';

const ROUNDS = size('BENCH_ROUNDS', 6, 1);
const ROUND_MS = size('BENCH_ROUND_MS', 3_000, 200);
const WARM_UP_MS = isSmoke ? 200 : 3_000;
const CONNECTIONS = 64;
const PATH = '/wallet/balance';
/** Requests per second for the latency: the load of a small deployment, far below saturation. */
const RATE = isSmoke ? 100 : 1_000;
const LATENCY_ROUNDS = size('BENCH_LATENCY_ROUNDS', 5, 1);
const LATENCY_MS = isSmoke ? 300 : 4_000;
const NO_LIMIT = '1000000000';

type Target = { name: string; port: number; pid: number; path: string };
type Headers = Record<string, string>;
type Sample = { throughput: number; failed: number; cpuMicros: number };

async function atRate({ port, path }: Target, headers: Headers): Promise<FixedRateResult> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  const task = async () => {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  };
  const result = await fixedRate({ rate: RATE, durationMs: LATENCY_MS, warmUpMs: 1_000, task });
  await pool.close();
  return result;
}

async function saturated({ port, pid, path }: Target, headers: Headers, durationMs: number): Promise<Sample> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`);
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port));
  let failed = 0;
  const task = async (caller: number): Promise<void> => {
    const before = connections[caller];
    const connection = before?.isOpen ? before : (connections[caller] = new Connection(port));
    if ((await connection.send(bytes)) !== 200) failed += 1;
  };
  const before = mainThreadMs(pid);
  const { throughput, completed } = await closedLoop({ concurrency: CONNECTIONS, durationMs, task });
  const cpuMicros = ((mainThreadMs(pid) - before) * 1_000) / completed;
  for (const connection of connections) connection.destroy();
  return { throughput, failed, cpuMicros };
}

export async function measurePeers(): Promise<Measured> {
  const backing = await startBacking({ stateDir: scratch().dir, only: ['redis'], env: {} });
  const tokens = await startTokenIssuer();
  const children: Child[] = [];
  const start = async (script: string, env: Record<string, string> = {}): Promise<Child> => {
    const child = await startChild(new URL(script, import.meta.url), env);
    children.push(child);
    return child;
  };
  try {
    const sessionId = await activeSession(backing.redisUrl);
    const headers = { authorization: `Bearer ${await tokens.user({ sessionId })}` };
    const upstream = await start('./upstream.ts');
    const url = `http://127.0.0.1:${upstream.port}`;
    const env = { REDIS_URL: backing.redisUrl, JWKS_URL: tokens.jwksUrl, UPSTREAM: url };
    const ours = {
      ...env,
      PORT: '0',
      NATS_URL: 'nats://127.0.0.1:1',
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, url])),
      RATE_LIMIT_PER_MINUTE: NO_LIMIT,
      CONNECTIONS_PER_ADDRESS: NO_LIMIT,
      REQUESTS_PER_ADDRESS: NO_LIMIT,
      LONG_PER_ADDRESS: NO_LIMIT,
    };
    const path = `/api${PATH}`;
    const [gateway, fastify, bare] = ['gateway', '@fastify/http-proxy', 'bare undici dispatch'] as const;
    const targets: Target[] = [
      { name: gateway, ...(await start('../../gateway/test/without-broker.ts', ours)), path },
      { name: fastify, ...(await start('./fastify-proxy.ts', env)), path },
      { name: bare, ...(await start('./bare.ts', env)), path },
      { name: 'direct', ...upstream, path: PATH },
    ];
    for (const target of targets) await saturated(target, headers, WARM_UP_MS);
    const measured = <T>(rounds: number, measure: (target: Target) => Promise<T>) =>
      inTurns(
        targets.map((target) => ({ name: target.name, measure: () => measure(target) })),
        rounds,
      );
    const samples = await measured(ROUNDS, (target) => saturated(target, headers, ROUND_MS));
    console.log(`latency at ${RATE}/s`);
    const latencies = await measured(LATENCY_ROUNDS, (target) => atRate(target, headers));

    const of = (name: string, key: keyof Sample) => (samples.get(name) ?? []).map((sample) => sample[key]);
    const paced = (name: string, pick: (result: FixedRateResult) => number) =>
      (latencies.get(name) ?? []).map(pick);
    const p99 = (name: string) => paced(name, ({ latency }) => latency.p99);
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
    const missed = (name: string) => sum(paced(name, ({ failed, dropped }) => failed + dropped));
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
        note: 'the bare one only forwards',
      }),
      row(
        `${gateway} ÷ ${fastify}, by processor time`,
        ratioOf(of(fastify, 'cpuMicros'), of(gateway, 'cpuMicros')),
        '×',
        { note: 'of the main thread, without the time spent waiting for a core' },
      ),
      none('failed requests', failed, failures.map((one) => `${one.name} ${one.failed}`).join(', ')),
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
    const data = { samples: Object.fromEntries(samples), latencies: Object.fromEntries(latencies) };
    return { rows, data };
  } finally {
    for (const child of children) await child.stop();
    await tokens.stop();
    await backing.stop({ remove: true });
  }
}
