/** Client addresses: decides which addresses count as one client in limits, locks and records. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Providers commonly assign a /56 of IPv6 to a household or office and a /48 to a business line or tunnel.
 */
const CUSTOMER_BITS = 56;
const NETWORK_BITS = 48;

type Address = ReturnType<typeof ipaddr.parse>;

/**
 * The address that limits and locks count by: a whole IPv4 address, or an IPv6 /56. '' for an invalid
 * address.
 */
export const addressOf = (ip: string): string => prefixOf(ip, { ipv4: 32, ipv6: CUSTOMER_BITS });

/** The largest network that one customer commonly has: a whole IPv4 address, or an IPv6 /48. */
export const customerNetworkOf = (ip: string): string => prefixOf(ip, { ipv4: 32, ipv6: NETWORK_BITS });

/** The address in canonical spelling, IPv4-mapped IPv6 as IPv4, without a zone. '' for an invalid address. */
export const plainAddress = (ip: string): string => read(ip)?.toString() ?? '';

/**
 * The network prefix of an address, as an address. '' for an invalid address. Translators and tunnels give an
 * IPv4 client one or more IPv6 addresses, so such a client is identified by its IPv4 address.
 */
export function prefixOf(ip: string, bits: Record<'ipv4' | 'ipv6', number>): string {
  const address = read(ip);
  if (address === undefined) return '';
  const inner = address instanceof ipaddr.IPv6 ? tunnelled(address) : undefined;
  const client = inner?.range() === 'unicast' ? inner : address;
  const kind = client.kind();
  const text = client.toString();
  if (kind === 'ipv4' && bits.ipv4 === 32) return text;
  const family = kind === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return family.networkAddressFromCIDR(`${text}/${bits[kind]}`).toString();
}

/** `isIP` rejects the short and octal spellings of IPv4 that `ipaddr.js` accepts. */
const read = (ip: string): Address | undefined =>
  isIP(ip) === 0 ? undefined : ipaddr.process(ip.replace(/%.*$/, ''));

/** The IPv4 address of a client behind a translator or tunnel. */
function tunnelled(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === 'rfc6145' || range === 'rfc6052') return new ipaddr.IPv4(bytes.slice(12));
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  // Teredo stores the client's address with all bits inverted (RFC 4380 §4).
  if (range === 'teredo') return new ipaddr.IPv4(bytes.slice(12).map((byte) => 255 - byte));
  return undefined;
}
