import { networkOf } from './device.ts';

it.each([
  ['103.21.4.5', '103.21.x.x'],
  ['::ffff:103.21.4.5', '103.21.x.x'],
  ['::FFFF:6715:0405', '103.21.x.x'],
  ['2401:4900:1:2::1', '2401:4900::'],
  ['2401::1', '2401::'],
  ['::1', '::'],
  ['unknown', ''],
])('shows half of the address %s: %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
