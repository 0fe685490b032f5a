import { kept, startClosing } from '@karaar/testing/servers/closing';
import { createWhatsappClient } from './whatsapp-client.ts';

it('sends although Meta closes the connection of an earlier message', async () => {
  const meta = await startClosing('{"messages":[{"id":"wamid.1"}]}');
  const client = createWhatsappClient({
    ...{ WHATSAPP_API_URL: meta.url, WHATSAPP_PHONE_NUMBER_ID: '1', WHATSAPP_ACCESS_TOKEN: 'token' },
    WHATSAPP_TIMEOUT_MS: 10_000,
  });
  const message = { to: '+919000000001', template: 'signed', language: 'en', parameters: [], path: 'd' };
  try {
    await client.send({ ...message, deliveryId: '1' });
    await kept();
    await expect(client.send({ ...message, deliveryId: '2' })).resolves.toBeUndefined();
  } finally {
    await client.close();
    meta.close();
  }
});
