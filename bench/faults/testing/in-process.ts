/**
 * Services in this process that can crash: all that reaches their backing services goes through proxies, which first
 * lose the answers and then cut. What was sent may have had its effect, nobody is told, and nothing is sent any more:
 * what a process leaves that is killed. The next one starts at once on another port.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp as createPayments } from '@karaar/service-payments/app';
import { readConfig as readPayments } from '@karaar/service-payments/config';
import { createApp as createWallet } from '@karaar/service-wallet/app';
import { readConfig as readWallet } from '@karaar/service-wallet/config';
import { startProxy, type TestProxy } from '@karaar/testing/servers/proxy';
import type { Balancer } from '../../lib/balancer.ts';
import { via } from '../cuts/cutter.ts';
import type { PartName } from './money-world.ts';

export type Crashable = {
  /** Where it answers now. */
  url: () => string;
  crash: () => Promise<void>;
  stop: () => Promise<void>;
};

type Running = { url: string; close: () => Promise<void>; proxies: TestProxy[]; leave: () => void };

/** A service in this process. */
export const start = {
  wallet: (env: Record<string, string>) => createWallet(readWallet(env)),
  payments: (env: Record<string, string>) => createPayments(readPayments(env)),
};
const BACKING = ['DATABASE_URL', 'NATS_URL', 'RAZORPAY_API_URL'] as const;
/** How long answers are lost before the cut, at most: about a transaction. */
const LOST_MS = 8;

/**
 * @param env the service's environment; Redis is not cut, as nothing is written to it
 * @param balancer before its internal port, where other services ask it
 */
export async function inProcess(
  name: PartName,
  env: Record<string, string>,
  door?: Balancer,
): Promise<Crashable> {
  const graves: Promise<unknown>[] = [];
  let running = await begin(name, env, door);
  let crashing: Promise<void> | undefined;
  const crash = async () => {
    const { proxies, close, leave } = running;
    for (const proxy of proxies) proxy.loseReplies();
    await sleep(Math.random() * LOST_MS);
    leave();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    // Its parent does not listen any more: what it writes at its end is dropped.
    graves.push(close().catch(() => undefined));
    running = await begin(name, env, door);
  };
  return {
    url: () => running.url,
    crash: () => (crashing ??= crash().finally(() => (crashing = undefined))),
    stop: async () => {
      await crashing;
      await running.close();
      await Promise.all(running.proxies.map((proxy) => proxy.close()));
      await Promise.all(graves);
    },
  };
}

async function begin(name: PartName, env: Record<string, string>, door?: Balancer): Promise<Running> {
  const proxies: TestProxy[] = [];
  const own = { ...env };
  for (const variable of BACKING) {
    const url = env[variable];
    if (url !== undefined) own[variable] = await via(url, (proxy) => proxies.push(proxy));
  }
  const service = await start[name](own);
  const inner = door && (await startProxy(Number(new URL(service.innerUrl).port)));
  if (inner) {
    proxies.push(inner);
    door.add(inner.port);
  }
  const close = async () => {
    service.app.server.closeAllConnections();
    service.app.inner?.server.closeAllConnections();
    await service.app.close();
    await service.close();
  };
  return { url: service.url, close, proxies, leave: () => inner && door?.remove(inner.port) };
}
