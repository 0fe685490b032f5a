/** The client's identity that services receive: only what a trusted proxy reports. */
import fastify from 'fastify';
import { ipOf, requestHeaders } from './request-headers.ts';

const forged = {
  'x-forwarded-for': '203.0.113.5, 10.0.0.2',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'shop.example',
};

async function forwarded(
  trustProxy: string[],
  remoteAddress: string,
  headers: Record<string, string>,
  proto = 'http',
) {
  const app = fastify({ trustProxy: trustProxy.length > 0 && trustProxy });
  app.get('/', async (req) => {
    const flat = requestHeaders(req, { PUBLIC_URL: `${proto}://karaar.example` });
    const of = (name: string) => flat[flat.indexOf(name) + 1];
    return {
      ip: ipOf(req),
      proto: of('x-forwarded-proto'),
      host: of('x-forwarded-host'),
      chain: of('x-forwarded-for'),
    };
  });
  const res = await app.inject({ url: '/', remoteAddress, headers: { host: 'karaar.example', ...headers } });
  await app.close();
  return res.json<{ ip: string; proto: string; host: string; chain: string }>();
}

it('ignores forwarded headers when no proxy is trusted', async () => {
  expect(await forwarded([], '198.51.100.1', forged)).toEqual({
    ip: '198.51.100.1',
    proto: 'http',
    host: 'karaar.example',
    chain: '198.51.100.1',
  });
});

it('takes the last address of the chain that is not our proxy, and forwards the chain only from there', async () => {
  const ours = ['10.0.0.0/8', '2001:db8::/32'];
  expect(await forwarded(ours, '::ffff:10.1.1.1', forged)).toEqual({
    ip: '203.0.113.5',
    proto: 'https',
    host: 'shop.example',
    chain: '203.0.113.5, 10.0.0.2, 10.1.1.1',
  });
  const spoofed = { 'x-forwarded-for': '1.1.1.1, 198.51.100.9' };
  expect(await forwarded(ours, '2001:db8::7', spoofed)).toMatchObject({
    ip: '198.51.100.9',
    chain: '198.51.100.9, 2001:db8::7',
  });
});

it('ignores a sender that is not a trusted proxy', async () => {
  const other = await forwarded(['10.0.0.0/8'], '192.0.2.1', forged, 'https');
  expect(other).toEqual({ ip: '192.0.2.1', proto: 'https', host: 'karaar.example', chain: '192.0.2.1' });
});

it('counts a proxy without a valid chain as the client', async () => {
  const chains: Record<string, string>[] = [
    {},
    { 'x-forwarded-for': ' ,' },
    { 'x-forwarded-for': 'unknown' },
  ];
  for (const headers of chains)
    expect((await forwarded(['10.0.0.1'], '10.0.0.1', headers)).ip).toBe('10.0.0.1');
  const odd = { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'javascript' };
  expect((await forwarded(['10.0.0.1'], '10.0.0.1', odd)).proto).toBe('http');
});
