import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import type { AccountSheet } from '@karaar/contracts/documents/print';
import { createPrinter, type Printer } from '@karaar/http/print';
import { bearer } from '@karaar/testing/people/tokens';
import { startApi, type Api } from '../api.ts';

jest.setTimeout(60_000);
const run = promisify(execFile);

let api: Api;
let print: Printer;
let folder: string;
let wallet: string[];

beforeAll(async () => {
  api = await startApi('documents-account-sheets');
  wallet = [String(api.world.env['WALLET_TO_DOCUMENTS_SECRETS'])];
  print = createPrinter(api.service.innerUrl, wallet);
  folder = await mkdtemp(join(tmpdir(), 'karaar-account-'));
}, 120_000);
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true });
});

const sheet = (rows: string[][]): AccountSheet => ({
  part: 'Wallet statement',
  title: 'Wallet statement',
  lead: 'All movements',
  reference: '9H4T R2WK',
  facts: [{ label: 'Closing balance', value: '₹1,23,456.00' }],
  columns: [
    { title: 'What', numeric: false },
    { title: 'Amount', numeric: true },
  ],
  rows,
  note: 'One coin is one rupee.',
});

async function facts(pdf: Buffer): Promise<{ pages: number; text: string }> {
  const file = join(folder, 'sheet.pdf');
  await writeFile(file, pdf);
  const [info, text] = await Promise.all([run('pdfinfo', [file]), run('pdftotext', ['-layout', file, '-'])]);
  return { pages: Number(/^Pages:\s+(\d+)/m.exec(info.stdout)?.[1]), text: text.stdout };
}

const post = (base: string, body: unknown, secret?: string): Promise<Response> =>
  fetch(`${base}/internal/account-sheet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(secret === undefined ? {} : bearer(secret)) },
    body: JSON.stringify(body),
  });

describe('an account sheet', () => {
  it('is a PDF with all its data, in any script, with markup as text', async () => {
    const { pages, text } = await facts(
      await print(
        sheet([
          ['<b>Payment</b> for "கரார்"', '₹7.00'],
          ['विक्रम शाह', '₹100.00'],
        ]),
      ),
    );
    expect(pages).toBe(1);
    for (const expected of [
      'Wallet statement',
      '₹1,23,456.00',
      '<b>Payment</b> for',
      '₹7.00',
      'Page 1 of 1',
    ]) {
      expect(text).toContain(expected);
    }
  });

  it('has as many pages as it needs, each with its number and the table header', async () => {
    const { pages, text } = await facts(
      await print(sheet(Array.from({ length: 120 }, (_, i) => [`Row ${i}`, '₹1.00']))),
    );
    expect(pages).toBeGreaterThan(2);
    expect(text).toContain(`Page ${pages} of ${pages}`);
    expect(text.match(/What +Amount/g)).toHaveLength(pages);
    expect(text).toContain('Row 119');
  });

  it('is refused if it is invalid, and the printer reports a missing converter', async () => {
    const answer = await post(api.service.innerUrl, { title: 'x' }, wallet[0]);
    expect(answer.status).toBe(422);
    await expect(createPrinter('http://127.0.0.1:9', wallet)(sheet([]))).rejects.toMatchObject({
      status: 503,
      code: 'printing_unavailable',
    });
  });

  it('is printed for wallet and payments with their credentials, and for no other caller', async () => {
    const { env } = api.world;
    const of = async (secret?: string) => (await post(api.service.innerUrl, sheet([]), secret)).status;
    expect(await of(env['WALLET_TO_DOCUMENTS_SECRETS'])).toBe(200);
    expect(await of(env['PAYMENTS_TO_DOCUMENTS_SECRETS'])).toBe(200);
    const asha = await api.world.addUser('Asha Rao');
    for (const secret of [undefined, 'x'.repeat(43), env['DOCUMENTS_TO_VISION_SECRETS'], asha.token])
      expect([secret, await of(secret)]).toEqual([secret, 401]);
    // With a wrong credential, callers report the same error as when documents is down.
    await expect(createPrinter(api.service.innerUrl, ['x'.repeat(43)])(sheet([]))).rejects.toMatchObject({
      status: 503,
      code: 'printing_unavailable',
    });
  });

  it('is not available at the public port, nor are the metrics', async () => {
    expect((await post(api.url, sheet([]), wallet[0])).status).toBe(404);
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
    expect(await (await fetch(`${api.service.innerUrl}/metrics`)).text()).toContain('documents_jobs_waiting');
  });
});
