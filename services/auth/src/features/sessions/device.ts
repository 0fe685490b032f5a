import { isIP } from 'node:net';
import { prefixOf } from '@karaar/base/addresses';
import Bowser from 'bowser';
import type { FastifyRequest } from 'fastify';

const LONGEST = 80;

/** Returns a text such as `Chrome on Android` for a User-Agent; empty if it is unknown. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return '';
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = [browser.name, os.name].filter(Boolean).join(' on ');
  return name.slice(0, LONGEST);
}

/**
 * Returns the first half of an address (`103.21.x.x`, `2401:4900::`), which identifies a provider's region
 * but not a person.
 */
export function networkOf(ip: string): string {
  const network = prefixOf(ip, { ipv4: 16, ipv6: 32 });
  return isIP(network) === 4 ? network.replace(/\.0\.0$/, '.x.x') : network;
}

export type Origin = { device: string; network: string };

export const originOf = (req: FastifyRequest): Origin => ({
  device: deviceOf(req.headers['user-agent']),
  network: networkOf(req.ip),
});
