/** The user who gives a command, and what the history stores about the origin of the request. */
import { isIP } from 'node:net';
import { prefixOf } from '@karaar/platform/addresses';
import type { Principal } from '@karaar/platform/auth';
import Bowser from 'bowser';

export type Origin = {
  /** The network of the address, never the whole of it: `203.0.113.0/24`, `2001:db8:7::/48`. */
  address: string | null;
  /** Kinds of browser and system: `Chrome on Android`. */
  device: string | null;
};

export type Caller = {
  userId: string;
  origin: Origin;
  /** When the request arrived: to its sender everything that it causes happens at this moment. */
  since: Date;
  idempotencyKey: string | undefined;
};

/** The origin of a request. */
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

/** The first 24 bits of an IPv4 address, 48 of an IPv6 one; null for a text that is not an address. */
export function networkOf(ip: string): string | null {
  const network = prefixOf(ip, { ipv4: 24, ipv6: 48 });
  if (network === '') return null;
  return `${network}/${isIP(network) === 4 ? 24 : 48}`;
}

/** `Chrome on Android`; null for a sender that names neither. */
export function deviceOf(userAgent: string): string | null {
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const parts = [browser.name, os.name].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' on ');
}
