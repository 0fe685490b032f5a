import { isIP } from 'node:net';
import { prefixOf } from '@karaar/base/addresses';
import type { Principal } from '@karaar/http/auth';
import Bowser from 'bowser';

export type Origin = {
  /** The network of the address, never the full address: `203.0.113.0/24`, `2001:db8:7::/48`. */
  address: string | null;
  /** Names of the browser and the system: `Chrome on Android`. */
  device: string | null;
};

export type Caller = {
  userId: string;
  origin: Origin;
  /** When the request arrived: the time of everything that the request changes. */
  since: Date;
  idempotencyKey: string | undefined;
};

export type RequestLike = {
  principal: Principal;
  idempotencyKey: string | undefined;
  req: { ip: string; headers: Readonly<Record<string, string | string[] | undefined>> };
  reply: { elapsedTime: number };
};

export function callerOf({ principal, idempotencyKey, req, reply }: RequestLike): Caller {
  const agent = req.headers['user-agent'];
  return {
    userId: principal.userId,
    origin: { address: networkOf(req.ip), device: typeof agent === 'string' ? deviceOf(agent) : null },
    since: new Date(Date.now() - reply.elapsedTime),
    idempotencyKey,
  };
}

/** Returns the first 24 bits of an IPv4 address or 48 bits of an IPv6 address; null if the text is not an address. */
export function networkOf(ip: string): string | null {
  const network = prefixOf(ip, { ipv4: 24, ipv6: 48 });
  if (network === '') return null;
  return `${network}/${isIP(network) === 4 ? 24 : 48}`;
}

/** Returns for example `Chrome on Android`; null if the user agent names neither a browser nor a system. */
export function deviceOf(userAgent: string): string | null {
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const parts = [browser.name, os.name].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' on ');
}
