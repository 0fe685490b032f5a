import { jest } from '@jest/globals';
import { startPrinter, type TestPrinter } from '@karaar/testing/servers/printer';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { REVENUE_ACCOUNT } from '../src/db/migrations/ledger.sql.ts';
import { debitOf, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let printer: TestPrinter;
let user: WorldUser;

beforeAll(async () => {
  printer = await startPrinter();
  api = await startApi('wallet-statement', {
    DOCUMENTS_INTERNAL_URL: printer.url,
    WALLET_TO_DOCUMENTS_SECRETS: printer.secret,
    COMPANY_NAME: 'Karaar Agreements Pvt Ltd',
    COMPANY_GSTIN: '27AAPFU0939F1ZV',
  });
}, 120_000);
afterAll(async () => {
  await api.stop();
  await printer.stop();
});
beforeEach(async () => {
  user = await api.world.addUser('Asha Rao');
});

describe('a statement', () => {
  const statement = (user: WorldUser, query = '') =>
    fetch(`${api.service.url}/wallet/statement${query}`, { headers: user.headers });
  const days = (iso: unknown) =>
    new Date(Date.parse(String(iso)) + 5.5 * 3_600_000).toISOString().slice(0, 10);

  it("is a spreadsheet of the caller's movements, oldest first, with the balance after each", async () => {
    await api.topUp(user, 1_234.5);
    await api.debit({ ...debitOf(user, 0.75), description: '=SUM(A1:A9), "विक्रम"' });
    const response = await statement(user);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain(`karaar-statement-${user.charId}.csv`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header, first, second, end] = bytes.toString('utf8').slice(1).split('\r\n');
    expect(header).toBe('Date (India time),Description,Type,Amount (INR),Balance (INR),Transaction ID');
    expect(first).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,Wallet top-up,credit,1234\.50,1234\.50,[0-9a-f-]{36}$/,
    );
    // The cell is escaped, because a spreadsheet would run a text that begins with =.
    expect(second).toMatch(/,"'=SUM\(A1:A9\), ""विक्रम""",debit,0\.75,1233\.75,/);
    expect(end).toBe('');
  });

  it("has each of the caller's movements once, even over several pages, and none of another user", async () => {
    const other = await api.world.addUser('Vikram Shah');
    await Promise.all([api.topUp(user, 2_000), api.topUp(other, 5)]);
    const { db } = api.service.foundation;
    await sql`SELECT ledger_transfer(${`many-${user.userId}-`} || n, ${user.userId}::uuid, 'debit',
      ${REVENUE_ACCOUNT}::uuid, 100, 'Payment', 'doc') FROM generate_series(1, 1100) n`.execute(db);
    const lines = (await (await statement(user)).text()).trimEnd().split('\r\n').slice(1);
    expect(lines).toHaveLength(1_101);
    expect(new Set(lines.map((line) => line.split(',').at(-1))).size).toBe(1_101);
    expect(lines.at(-1)).toContain(',debit,1.00,900.00,');
  });

  it('is printed as PDF with money in, money out and the balances before and after', async () => {
    await api.topUp(user, 1_00_000);
    await api.debit(debitOf(user, 7.5));
    const response = await statement(user, '?format=pdf');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(response.headers.get('content-disposition')).toContain(`karaar-statement-${user.charId}.pdf`);
    const sheet = printer.sheets.at(-1);
    expect(sheet?.facts.map(({ value }) => value)).toEqual([
      '₹0.00',
      '₹1,00,000.00',
      '₹7.50',
      '₹99,992.50',
      'Karaar Agreements Pvt Ltd',
      '27AAPFU0939F1ZV',
    ]);
    const asRead = /^\d{1,2} \w+ \d{4}, \d{1,2}:\d\d [ap]m$/;
    expect(sheet?.rows).toEqual([
      [expect.stringMatching(asRead), 'Wallet top-up', '₹1,00,000.00', '', '₹1,00,000.00'],
      [expect.stringMatching(asRead), 'Payment for Rent agreement', '', '₹7.50', '₹99,992.50'],
    ]);
    const empty = await statement(user, `?format=pdf&from=2020-01-01&to=2020-01-02`);
    expect(empty.status).toBe(200);
    expect(printer.sheets.at(-1)?.rows).toEqual([]);
  });

  it("is printed in the account's language or the requested one, and is in English as a spreadsheet", async () => {
    const reader = await api.world.addUser('Meena Kumari', { language: 'ta' });
    await api.topUp(reader, 10);
    const language = async (query: string) => {
      expect((await statement(reader, query)).status).toBe(200);
      return printer.sheets.at(-1)?.language;
    };
    expect(await language('?format=pdf')).toBe('ta');
    expect(printer.sheets.at(-1)?.rows[0]?.[1]).toBe('வாலட்டில் பணம் சேர்த்தல்');
    expect(await language('?format=pdf&language=en')).toBe('en');
    expect((await statement(reader, '?format=pdf&language=fr')).status).toBe(422);
    expect(await (await statement(reader, '?language=ta')).text()).toContain('Wallet top-up');
    expect((await statement(user, '?format=pdf')).status).toBe(200);
    expect(printer.sheets.at(-1)?.language).toBe('en');
  });

  it('is refused for too long a period, and while documents is down', async () => {
    const other = await api.world.addUser('Vikram Shah');
    await api.topUp(other, 100_000);
    await sql`SELECT ledger_transfer(${`long-${other.userId}-`} || n, ${other.userId}::uuid, 'debit',
      ${REVENUE_ACCOUNT}::uuid, 1, 'Payment', 'doc') FROM generate_series(1, 2000) n`.execute(
      api.service.foundation.db,
    );
    const long = await statement(other, '?format=pdf');
    expect([long.status, await long.json()]).toEqual([
      422,
      { code: 'statement_too_long', detail: expect.stringContaining('CSV') },
    ]);
  });

  it('and the history can be limited to a kind and to days in India, both ends included', async () => {
    await api.topUp(user, 10);
    await api.debit(debitOf(user, 1));
    const { db } = api.service.foundation;
    const [newest] = await api.transactions(user);
    const today = days(newest?.['created_at']);
    const { rows } = await sql<{
      day: string;
    }>`SELECT to_char(${today}::date - 1, 'YYYY-MM-DD') AS day`.execute(db);
    const yesterday = rows[0]?.day ?? '';
    const amounts = async (query: string) =>
      (await api.transactions(user, query)).map((one) => one['amount']);
    expect(await amounts('?type=credit')).toEqual([10]);
    expect(await amounts('?type=debit')).toEqual([1]);
    expect(await amounts(`?from=${today}&to=${today}`)).toEqual([1, 10]);
    expect(await amounts(`?to=${yesterday}`)).toEqual([]);
    expect((await (await statement(user, `?to=${yesterday}`)).text()).trimEnd().split('\r\n')).toHaveLength(
      1,
    );
    for (const query of ['from=2026-02-30', 'to=yesterday', `from=${today}&to=${yesterday}`, 'type=gift']) {
      expect((await api.call(user, 'GET', `/wallet/transactions?${query}`)).status).toBe(422);
    }
    expect((await statement(user, '?from=2026-13-01')).status).toBe(422);
  });
});
