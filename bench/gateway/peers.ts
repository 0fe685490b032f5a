/** The gateway and its peers in front of one service (design §4): 1 KB of JSON, token checked, in turns. */
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import { startBacking } from '@karaar/testing/backing/backing';
import { activeSession } from '@karaar/testing/people/sessions';
import { startTokenIssuer } from '@karaar/testing/people/tokens';
import { scratch } from '@karaar/testing/scratch';
import { serviceProcess } from '@karaar/testing/servers/service-process';
import { Pool } from 'undici';
import { closedLoop } from '../lib/closed-loop.ts';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import { inTurns, ratioOf } from '../lib/peers.ts';
import { startChild, type Child } from '../lib/process.ts';
import { unlimited } from '../lib/product.ts';
import { none, row, type Measured } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { Connection } from './connection.ts';

const ROUNDS = size('BENCH_ROUNDS', 6, 1);
const ROUND_MS = size('BENCH_ROUND_MS', 3_000, 200);
const WARM_UP_MS = isSmoke ? 200 : 3_000;
const CONNECTIONS = 64;
const PATH = '/api/wallet/balance';
/** Requests per second for the latency: the load of a small deployment, far below saturation. */
const RATE = isSmoke ? 100 : 1_000;
const LATENCY_ROUNDS = size('BENCH_LATENCY_ROUNDS', 5, 1);
const LATENCY_MS = isSmoke ? 300 : 4_000;

type Target = { name: string; port: number };
type Headers = Record<string, string>;

async function atRate({ port }: Target, headers: Headers): Promise<FixedRateResult> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  const task = async () => {
    const { statusCode, body } = await pool.request({ path: PATH, method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  };
  const result = await fixedRate({ rate: RATE, durationMs: LATENCY_MS, warmUpMs: 1_000, task });
  await pool.close();
  return result;
}

async function saturated({ port }: Target, headers: Headers, durationMs: number) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.from(`GET ${PATH} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`);
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port));
  let failed = 0;
  const task = async (caller: number): Promise<void> => {
    const before = connections[caller];
    const connection = before?.isOpen ? before : (connections[caller] = new Connection(port));
    if ((await connection.send(bytes)) !== 200) failed += 1;
  };
  const { throughput } = await closedLoop({ concurrency: CONNECTIONS, durationMs, task });
  for (const connection of connections) connection.destroy();
  return { throughput, failed };
}

export async function measurePeers(): Promise<Measured> {
  const backing = await startBacking({ stateDir: scratch().dir, only: ['redis', 'nats'], env: {} });
  const tokens = await startTokenIssuer();
  const children: Pick<Child, 'stop'>[] = [];
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
    const ours = await serviceProcess(fileURLToPath(new URL('../../gateway/src/main.ts', import.meta.url)), {
      SERVICE_NAME: 'gateway',
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      REDIS_URL: backing.redisUrl,
      NATS_URL: backing.natsUrl,
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, url])),
      AUTH_URL: new URL(tokens.jwksUrl).origin,
      ...unlimited.env,
      LOG_LEVEL: 'info',
    });
    await ours.start();
    children.push({ stop: ours.kill });
    const [gateway, fastify, bare] = ['gateway', '@fastify/http-proxy', 'bare undici dispatch'] as const;
    const targets: Target[] = [
      { name: gateway, port: Number(new URL(ours.url).port) },
      { name: fastify, ...(await start('./fastify-proxy.ts', env)) },
      { name: bare, ...(await start('./bare.ts', env)) },
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

    const throughputs = (name: string) => (samples.get(name) ?? []).map(({ throughput }) => throughput);
    const ratio = (to: string) => ratioOf(throughputs(gateway), throughputs(to));
    const paced = (name: string, key: 'p50' | 'p99') =>
      (latencies.get(name) ?? []).map(({ latency }) => latency[key]);
    const failed = [
      ...[...samples.values()].flat().map(({ failed }) => failed),
      ...[...latencies.values()].flat().map(({ failed, dropped }) => failed + dropped),
    ].reduce((all, one) => all + one, 0);
    const rows = [
      ...targets.map(({ name }) => row(name, median(throughputs(name)), 'answers/s')),
      row(`${gateway} ÷ ${fastify}`, ratio(fastify), '×', { atLeast: 1, note: 'both check the same token' }),
      row(`${gateway} ÷ ${bare}`, ratio(bare), '×', { note: 'the bare one only forwards' }),
      none('failed requests', failed),
      ...targets.map(({ name }) =>
        row(`${name}: p99 at ${RATE}/s`, median(paced(name, 'p99')), 'ms', {
          note: `p50 ${median(paced(name, 'p50')).toFixed(2)} ms`,
        }),
      ),
      row(`p99 at ${RATE}/s: ${gateway} ÷ ${bare}`, ratioOf(paced(gateway, 'p99'), paced(bare, 'p99')), '×', {
        atMost: 1.5,
        note: `median of ${LATENCY_ROUNDS} rounds in turns`,
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
