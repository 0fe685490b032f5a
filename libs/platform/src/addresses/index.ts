/** Client addresses: the one notion of "the same address" for limits, locks and records. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A home or an office is given a /56 of IPv6, a business line or a tunnel a /48. */
const CUSTOMER_BITS = 56;
const NETWORK_BITS = 48;

type Address = ReturnType<typeof ipaddr.parse>;

/** The client of limits and locks: an IPv4 address whole, of IPv6 the /56. '' for a text that is not an address. */
export const addressOf = (ip: string): string => prefixOf(ip, { ipv4: 32, ipv6: CUSTOMER_BITS });

/** The largest network that one customer commonly has: an IPv4 address whole, of IPv6 the /48. */
export const customerNetworkOf = (ip: string): string => prefixOf(ip, { ipv4: 32, ipv6: NETWORK_BITS });

/** The address in one spelling, IPv4 mapped into IPv6 as IPv4, without a zone. '' for a text that is not an address. */
export const plainAddress = (ip: string): string => read(ip)?.toString() ?? '';

/**
 * The first bits of an address, as an address. '' for a text that is not an address. Translators and tunnels give each
 * IPv4 client an IPv6 address, or many: that client is known by its IPv4 address.
 */
export function prefixOf(ip: string, bits: Record<'ipv4' | 'ipv6', number>): string {
  const address = read(ip);
  if (address === undefined) return '';
  const inner = address instanceof ipaddr.IPv6 ? tunnelled(address) : undefined;
  const client = inner?.range() === 'unicast' ? inner : address;
  const kind = client.kind();
  const family = kind === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return family.networkAddressFromCIDR(`${client.toString()}/${bits[kind]}`).toString();
}

/** `isIP` refuses the short and octal spellings of IPv4 that `ipaddr.js` reads. */
const read = (ip: string): Address | undefined =>
  isIP(ip) === 0 ? undefined : ipaddr.process(ip.replace(/%.*$/, ''));

/** The IPv4 address of a client behind a translator or tunnel. */
function tunnelled(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === 'rfc6145' || range === 'rfc6052') return new ipaddr.IPv4(bytes.slice(12));
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  // The client's address is inverted (RFC 4380 §4).
  if (range === 'teredo') return new ipaddr.IPv4(bytes.slice(12).map((byte) => 255 - byte));
  return undefined;
}
