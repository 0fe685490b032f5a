import { addressOf } from './device.ts';

it('takes an IPv4 address whole, also one written as IPv6, and of IPv6 the network that one customer has', () => {
  expect(addressOf('103.21.4.5')).toBe('103.21.4.5');
  expect(addressOf('::ffff:103.21.4.5')).toBe('103.21.4.5');
  const home = '2401:4900:1:2';
  for (const ip of ['2401:4900:1:2::1', '2401:4900:0001:0002:a:b:c:d', '2401:4900:1:2:ffff::'])
    expect(addressOf(ip)).toBe(home);
  expect(addressOf('2401:4900:1:3::1')).not.toBe(home);
  expect(addressOf('2401:4900::1')).toBe('2401:4900:0:0');
  expect(addressOf('::1')).toBe('0:0:0:0');
});
