/**
 * Services in this process that can crash. Proxies in front of their backing services first drop the answers and then
 * close the connections, as after a kill: requests may have taken effect, but no answer arrives. The next instance starts
 * at once on another port.
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
  /** Returns the current URL. */
  url: () => string;
  crash: () => Promise<void>;
  stop: () => Promise<void>;
};

type Running = { url: string; close: () => Promise<void>; proxies: TestProxy[]; leave: () => void };

/** Start a service in this process. */
export const start = {
  wallet: (env: Record<string, string>) => createWallet(readWallet(env)),
  payments: (env: Record<string, string>) => createPayments(readPayments(env)),
};
const BACKING = ['DATABASE_URL', 'NATS_URL', 'RAZORPAY_API_URL'] as const;
/** The longest time between the first lost answer and the cut: about a transaction. */
const LOST_MS = 8;

/**
 * @param env the service's environment; Redis is not cut, because the service only reads it
 * @param balancer the balancer of its internal port
 */
export async function inProcess(
  name: PartName,
  env: Record<string, string>,
  balancer?: Balancer,
): Promise<Crashable> {
  const closed: Promise<unknown>[] = [];
  let running = await begin(name, env, balancer);
  let crashing: Promise<void> | undefined;
  const crash = async () => {
    const { proxies, close, leave } = running;
    for (const proxy of proxies) proxy.loseReplies();
    await sleep(Math.random() * LOST_MS);
    leave();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    // The proxies are closed, so its last writes reach nothing.
    closed.push(close().catch(() => undefined));
    running = await begin(name, env, balancer);
  };
  return {
    url: () => running.url,
    crash: () => (crashing ??= crash().finally(() => (crashing = undefined))),
    stop: async () => {
      await crashing;
      await running.close();
      await Promise.all(running.proxies.map((proxy) => proxy.close()));
      await Promise.all(closed);
    },
  };
}

async function begin(name: PartName, env: Record<string, string>, balancer?: Balancer): Promise<Running> {
  const proxies: TestProxy[] = [];
  const own = { ...env };
  for (const variable of BACKING) {
    const url = env[variable];
    if (url !== undefined) own[variable] = await via(url, (proxy) => proxies.push(proxy));
  }
  const service = await start[name](own);
  const inner = balancer && (await startProxy(Number(new URL(service.innerUrl).port)));
  if (inner) {
    proxies.push(inner);
    balancer.add(inner.port);
  }
  const close = async () => {
    service.app.server.closeAllConnections();
    service.app.inner?.server.closeAllConnections();
    await service.app.close();
    await service.close();
  };
  return { url: service.url, close, proxies, leave: () => inner && balancer?.remove(inner.port) };
}
