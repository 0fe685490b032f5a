import { addressOf, customerNetworkOf, plainAddress } from './index.ts';

describe('addressOf', () => {
  it.each([
    ['IPv4', '103.21.4.5', '103.21.4.5'],
    ['IPv4 mapped', '::ffff:103.21.4.5', '103.21.4.5'],
    ['IPv4 mapped, in upper case and hexadecimal', '::FFFF:6715:0405', '103.21.4.5'],
    ['IPv4 mapped, uncompressed', '0:0:0:0:0:ffff:103.21.4.5', '103.21.4.5'],
    ['IPv4 mapped, with a zone', '::ffff:103.21.4.5%eth0', '103.21.4.5'],
    ['IPv4 by SIIT', '::ffff:0:103.21.4.5', '103.21.4.5'],
    ['IPv4 by NAT64', '64:ff9b::103.21.4.5', '103.21.4.5'],
    ['IPv4 by 6to4', '2002:6715:405:77::1', '103.21.4.5'],
    ['IPv4 by Teredo', '2001:0:4136:e378:8000:63bf:98ea:fbfa', '103.21.4.5'],
    ['6to4 of an address that is not public', '2002:7f00:1::1', '2002:7f00:1::'],
    ['IPv6', '2401:4900:1:2::1', '2401:4900:1::'],
    ['IPv6 of the same /56', '2401:4900:1:ff:a:b:c:d', '2401:4900:1::'],
    ['IPv6 of the next /56', '2401:4900:1:100::1', '2401:4900:1:100::'],
    ['IPv6 in upper case, uncompressed', '2401:4900:0001:0002:000A:B:C:D', '2401:4900:1::'],
    ['IPv6 with a zone', 'fe80::1%eth0', 'fe80::'],
    ['loopback', '::1', '::'],
    ['a text that is not an address', 'unknown', ''],
    ['a number that some read as an address', '0x7f.1', ''],
  ])('%s', (_what, ip, client) => {
    expect(addressOf(ip)).toBe(client);
  });

  it('gives all addresses of one IPv6 customer the same prefix: /56 for a client, /48 for a network', () => {
    const line = Array.from({ length: 300 }, (_, at) => `2001:db8:5:${(at % 256).toString(16)}::${at + 1}`);
    expect(new Set(line.map(addressOf)).size).toBe(1);
    const business = Array.from({ length: 300 }, (_, at) => `2001:db8:5:${(at * 200).toString(16)}::1`);
    expect(new Set(business.map(customerNetworkOf))).toEqual(new Set(['2001:db8:5::']));
    expect(customerNetworkOf('103.21.4.5')).toBe('103.21.4.5');
  });
});

it('normalises the spelling of an address', () => {
  expect(plainAddress('::FFFF:6715:0405')).toBe('103.21.4.5');
  expect(plainAddress('2401:4900:0001::000A%eth0')).toBe('2401:4900:1::a');
  expect(plainAddress('')).toBe('');
});
