import type { FastifyRequest } from 'fastify';
import { addressKey } from './limits.ts';

describe('addressKey', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['2001:db8::1', '2001:db8::'],
    ['2001:db8:1:ff::', '2001:db8:1::'],
    ['2001:DB8:0001:0100::', '2001:db8:1:100::'],
    ['::1', '::'],
    ['unknown', '192.0.2.1'],
  ])('%s → %s', (ip, key) => {
    expect(addressKey({ ip, socket: { remoteAddress: '192.0.2.1' } } as FastifyRequest)).toBe(key);
  });
});
