import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Who sent a request, as far as the gateway believes it. */
export type Client = {
  /** The address that limits count against. */
  ip: string;
  proto: string;
  host: string;
  /** Value for the service's `X-Forwarded-For`. */
  chain: string;
};

/** Longer chains are forgeries: nobody has this many proxies. */
const MAX_CHAIN = 1_000;

/**
 * Reads client address and protocol. `X-Forwarded-*` is believed only from the proxies that the
 * configuration names (addresses or CIDR ranges); anybody else's is replaced.
 */
export class ClientReader {
  readonly #trusted = new BlockList();
  readonly #trustsAny: boolean;
  readonly #publicProto: string;

  constructor(trustedProxies: readonly string[], publicProto: string) {
    this.#trustsAny = trustedProxies.length > 0;
    this.#publicProto = publicProto;
    for (const entry of trustedProxies) {
      const [address = '', bits] = entry.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  read(req: IncomingMessage): Client {
    const peer = plainAddress(req.socket.remoteAddress ?? '');
    const host = req.headers.host ?? '';
    if (!this.#trustsAny || !this.#trusts(peer)) {
      return { ip: peer, proto: this.#publicProto, host, chain: peer };
    }
    const sent = single(req.headers['x-forwarded-for']).slice(-MAX_CHAIN);
    const proto = single(req.headers['x-forwarded-proto']);
    return {
      ip: this.#origin(sent, peer),
      proto: proto === 'http' || proto === 'https' ? proto : this.#publicProto,
      host: single(req.headers['x-forwarded-host']) || host,
      chain: sent === '' ? peer : `${sent}, ${peer}`,
    };
  }

  /** The last address of the chain that is not one of our proxies. */
  #origin(chain: string, peer: string): string {
    let origin = peer;
    for (const part of chain.split(',').reverse()) {
      const address = plainAddress(part.trim());
      if (isIP(address) === 0) break;
      origin = address;
      if (!this.#trusts(address)) break;
    }
    return origin;
  }

  #trusts(address: string): boolean {
    return this.#trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

/** An IPv4 address that arrived on an IPv6 socket, in its own form. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function single(value: string | string[] | undefined): string {
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}
