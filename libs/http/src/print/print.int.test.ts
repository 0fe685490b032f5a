import { kept, startClosing } from '@karaar/testing/servers/closing';
import { createPrinter } from './index.ts';

it('prints although documents closes the connection of an earlier request', async () => {
  const server = await startClosing('"a PDF"');
  const print = createPrinter(server.url, ['secret'.repeat(6)]);
  const sheet = { part: '', title: '', lead: '', reference: '', facts: [], columns: [], rows: [], note: '' };
  try {
    expect(String(await print(sheet))).toBe('"a PDF"');
    await kept();
    expect(String(await print(sheet))).toBe('"a PDF"');
  } finally {
    server.close();
  }
});
