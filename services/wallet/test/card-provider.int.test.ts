import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createCardProvider } from '../src/features/provider/card-provider.ts';

it('creates an order although the provider closes each connection after its first answer', async () => {
  const used = new WeakSet<Socket>();
  const server = createServer((req, res) => {
    if (used.has(req.socket)) return req.socket.destroy();
    used.add(req.socket);
    return res
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ id: 'order_1', currency: 'INR' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider = createCardProvider({
    keyId: 'id',
    keySecret: 'secret',
    webhookSecrets: [],
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timeoutMs: 5_000,
  });
  try {
    for (const receipt of ['first', 'second'])
      expect(await provider.createOrder(100, receipt)).toMatchObject({ id: 'order_1' });
  } finally {
    server.close();
  }
});
