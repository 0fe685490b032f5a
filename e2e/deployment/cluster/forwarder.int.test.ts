import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@karaar/testing/processes/ports';
import { forward, type Endpoint } from './forwarder.ts';

const servers: Server[] = [];
afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))));

async function pod(name: string): Promise<Endpoint> {
  const server = createServer((_, answer) => answer.end(name));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { ip: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

const ask = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (piece: Buffer) => (text += piece.toString()));
      answer.on('end', () => resolve(text));
    });
    asked.on('error', reject);
    asked.end();
  });

it('sends new connections to the pods that are ready, and refuses them if no pod is ready', async () => {
  const [one, two] = [await pod('one'), await pod('two')];
  let ready: Endpoint[] = [one, two];
  const at = { ip: '127.0.0.1', port: await freePort() };
  const service = await forward(at, () => ready);
  try {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(at.port)));
    expect(new Set(answers)).toEqual(new Set(['one', 'two']));
    ready = [two];
    expect(new Set(await Promise.all(Array.from({ length: 10 }, () => ask(at.port))))).toEqual(
      new Set(['two']),
    );
    ready = [];
    await expect(ask(at.port)).rejects.toThrow();
  } finally {
    await service.close();
  }
});
