/** The stored details of where a session was opened: enough for its owner to recognise it, and no more. */
import { isIP } from 'node:net';
import { prefixOf } from '@karaar/platform/addresses';
import Bowser from 'bowser';
import type { FastifyRequest } from 'fastify';

const LONGEST = 80;

/** `Chrome on Android` from a User-Agent; empty when it is unknown. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return '';
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = [browser.name, os.name].filter(Boolean).join(' on ');
  return name.slice(0, LONGEST);
}

/** The first half of an address: `103.21.x.x`, `2401:4900::`. Half an address is a provider's region, not a person. */
export function networkOf(ip: string): string {
  const network = prefixOf(ip, { ipv4: 16, ipv6: 32 });
  return isIP(network) === 4 ? network.replace(/\.0\.0$/, '.x.x') : network;
}

/** The stored origin of a sign-in. */
export type Origin = { device: string; network: string };

/** Where a request comes from. */
export const originOf = (req: FastifyRequest): Origin => ({
  device: deviceOf(req.headers['user-agent']),
  network: networkOf(req.ip),
});
