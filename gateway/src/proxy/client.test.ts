import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ClientReader } from './client.ts';

function from(peer: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const req = new IncomingMessage(socket);
  Object.assign(req.headers, { host: 'karaar.example', ...headers });
  return req;
}

const forged = {
  'x-forwarded-for': '203.0.113.5, 10.0.0.2',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'shop.example',
};

describe('ClientReader', () => {
  it('believes nobody when no proxy is trusted', () => {
    const reader = new ClientReader([], 'http');
    expect(reader.read(from('198.51.100.1', forged))).toEqual({
      ip: '198.51.100.1',
      proto: 'http',
      host: 'karaar.example',
      chain: '198.51.100.1',
    });
  });

  it('takes the last address of the chain that is no proxy of ours', () => {
    const reader = new ClientReader(['10.0.0.0/8', '2001:db8::/32'], 'http');
    expect(reader.read(from('::ffff:10.1.1.1', forged))).toEqual({
      ip: '203.0.113.5',
      proto: 'https',
      host: 'shop.example',
      chain: '203.0.113.5, 10.0.0.2, 10.1.1.1',
    });
    const spoofed = { 'x-forwarded-for': '1.1.1.1, 198.51.100.9' };
    expect(reader.read(from('2001:db8::7', spoofed)).ip).toBe('198.51.100.9');
  });

  it('does not believe a sender that is not one of them', () => {
    const reader = new ClientReader(['10.0.0.0/8'], 'https');
    expect(reader.read(from('192.0.2.1', forged))).toMatchObject({ ip: '192.0.2.1', proto: 'https' });
  });

  it('a proxy without a chain, or with nonsense in it, counts itself', () => {
    const reader = new ClientReader(['10.0.0.1'], 'http');
    expect(reader.read(from('10.0.0.1')).ip).toBe('10.0.0.1');
    expect(reader.read(from('10.0.0.1', { 'x-forwarded-for': ' ,' })).ip).toBe('10.0.0.1');
    expect(reader.read(from('10.0.0.1', { 'x-forwarded-for': 'unknown' })).ip).toBe('10.0.0.1');
    expect(reader.read(from('10.0.0.1', { 'x-forwarded-proto': 'javascript' })).proto).toBe('http');
  });
});
