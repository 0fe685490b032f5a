import { startClosing } from '@karaar/testing/servers/closing';
import { createCardProvider } from '../src/features/provider/card-provider.ts';

it('creates an order although the provider closes the connection of an earlier one', async () => {
  const server = await startClosing('{"id":"order_1","currency":"INR"}');
  const provider = createCardProvider({
    keyId: 'id',
    keySecret: 'secret',
    webhookSecrets: [],
    apiUrl: server.url,
    timeoutMs: 5_000,
  });
  try {
    for (const receipt of ['first', 'second'])
      expect(await provider.createOrder(100, receipt)).toMatchObject({ id: 'order_1' });
  } finally {
    server.close();
  }
});
