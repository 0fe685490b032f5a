/** The work of admins: users, documents, payments, failed events and the rate. */
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import type { Page } from 'puppeteer-core';
import { adminScreen, asks, columns, lists, newAdmin, rows } from '../src/admins.ts';
import { leaveDeadLetter } from '../src/dead-letters.ts';
import { failing } from '../src/browser/failing.ts';
import { agree, createDocument, payAlone, topUp } from '../src/journey.ts';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { url } = sharedProduct;

const { browser } = await openBrowser();
const boss = await newAdmin('super-admin');
const asha = await newPerson(url, 'Asha Deshmukh');
const vikram = await newPerson(url, 'Vikram Kulkarni');
const documentId = await createDocument(asha);
await agree(asha, vikram, documentId);
await topUp(url, asha, 321);
await payAlone(asha, documentId);
const screen = await adminScreen(browser, boss);

describe('users', () => {
  it('[ADMIN-005] are listed with Name, Email, Phone, Char ID and Created, and can be searched', async () => {
    const { page, goto, fill } = screen;
    await goto('/admin/users');
    await page.waitForSelector('tbody [role="row"]');
    expect((await columns(page)).slice(0, 5)).toEqual(['Name', 'Email', 'Phone', 'Char ID', 'Created']);
    await fill('Name, e-mail, phone or Char ID', asha.charId);
    await lists(page, 'Asha Deshmukh', 1);
    const { body } = await asha.call('GET', '/users/profile');
    const [shown = ''] = await rows(page);
    for (const part of ['Asha Deshmukh', String(body['email']), asha.phone, asha.charId])
      expect(shown.replaceAll(/\s/g, '')).toContain(part.replaceAll(/\s/g, ''));
    const created = new Intl.DateTimeFormat('en-IN', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'Asia/Kolkata',
    }).format(new Date(String(body['created_at'])));
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(created);
    // The address contains the search, so a copied link shows the same list.
    await until('the address', () => page.url().includes(`search=${asha.charId}`));
    await page.reload({ waitUntil: 'domcontentloaded' });
    await lists(page, 'Asha Deshmukh', 1);
  });

  it('are deactivated and reactivated with a reason, which the audit log keeps', async () => {
    const { page, goto, fill, press, sees } = screen;
    const gone = await newPerson(url, 'Gone Pawar');
    await goto(`/admin/users?search=${gone.charId}`);
    await lists(page, 'Gone Pawar', 1);
    await press('Deactivate');
    await sees('Deactivate Gone Pawar?');
    await page.click('[role="dialog"] button[type="submit"]');
    await sees('Say why in a few words');
    expect((await gone.once('GET', '/users/profile')).status).toBe(200);
    await fill('Reason', 'Reported by three users');
    await page.click('[role="dialog"] button[type="submit"]');
    await sees('Gone Pawar is deactivated');
    await until('signed out', async () => (await gone.once('GET', '/users/profile')).status === 401);
    await lists(page, 'Reactivate', 1);
    await goto(`/admin/users?search=${gone.charId}&status=active`);
    await sees('Nothing matches');
    await goto(`/admin/audit?search=${gone.userId}`);
    await lists(page, 'Reported by three users', 1);
  });
});

describe('documents', () => {
  it('[ADMIN-006] [ADMIN-007] [ROUTE-033] are counted, filtered by each status, and open one by one', async () => {
    const { page, goto, press, sees, isAt } = screen;
    await goto(`/admin/documents?search=${asha.charId}`);
    await lists(page, 'Asha Deshmukh', 1);
    const counts = await page.$$eval('dl[aria-label="Documents by status"] dt', (all) =>
      all.map((each) => each.textContent),
    );
    expect(counts).toEqual(expect.arrayContaining(['Total', 'Draft', 'Pending', 'Approved', 'Finalized']));
    await until('each is counted, the approved one too', async () => {
      const cards = await page.$$eval('dl[aria-label="Documents by status"] > div', (all) =>
        all.map((card) => [
          card.querySelector('dt')?.textContent ?? '',
          Number(card.querySelector('dd')?.textContent.replaceAll(',', '')),
        ]),
      );
      const count = new Map(cards as [string, number][]);
      return [...count.values()].every((value) => value >= 0) && (count.get('Approved') ?? 0) > 0;
    });
    for (const status of ['Draft', 'Pending', 'Finalized']) {
      await press(status);
      await sees('Nothing matches');
      expect(page.url()).toContain(`status=${status.toLowerCase()}`);
      await press(status);
      await lists(page, 'Asha Deshmukh', 1);
    }
    await press('Approved');
    await lists(page, 'Asha Deshmukh', 1);
    expect(page.url()).toContain('status=approved');
    const links = await page.$$eval('tbody [role="rowheader"] a', (all) =>
      all.map((each) => each.getAttribute('href')),
    );
    expect(links).toEqual([`/admin/documents/${documentId}`]);
    await page.click('tbody [role="rowheader"] a');
    await isAt(new RegExp(`^/admin/documents/${documentId}$`));
    await sees('Audit trail');
  });

  it('are shown as cancelled, in the list and on their page, if their creator has cancelled them', async () => {
    const { page, goto, sees } = screen;
    const [creator, guest] = [await newPerson(url, 'Farida Khan'), await newPerson(url, 'Ravi Iyer')];
    const id = await createDocument(creator);
    await creator.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
    await creator.call('POST', `/documents/${id}/cancel`, { reason: 'The shop is let' });
    await goto(`/admin/documents?search=${creator.charId}`);
    await lists(page, 'CANCELLED', 1);
    await goto(`/admin/documents/${id}`);
    await sees('CANCELLED');
  });

  it('keep filters and order in the address: a reload shows the same list, Back the earlier one, and one press clears all filters', async () => {
    const { page, goto, press, sees } = screen;
    await goto(`/admin/documents?search=${asha.charId}`);
    await lists(page, 'Asha Deshmukh', 1);
    await press('Created');
    await until('sorted', () => page.url().includes('sort=oldest'));
    const from = await page.$('main input[placeholder="dd/mm/yyyy"]');
    await from?.type('31012099');
    await sees('Nothing matches');
    expect(page.url()).toContain('from=2099-01-31');
    await page.reload({ waitUntil: 'domcontentloaded' });
    await sees('Nothing matches');
    await press('Clear filters');
    await until('all', async () => (await rows(page)).length > 0 && !page.url().includes('?'));
    await page.goBack();
    await sees('Nothing matches');
    expect(page.url()).toContain(`search=${asha.charId}`);

    const phone = await adminScreen(browser, boss, PHONE);
    await phone.goto(`/admin/documents?search=${asha.charId}&status=draft`);
    await phone.sees('Nothing matches');
    // The folded filters show how many are active.
    await phone.press('1 filter');
    await phone.press('Draft');
    await lists(phone.page, 'Asha Deshmukh', 1);
    await phone.close();
  });

  it('show parties, files by name, history and payments; an image only for a reason, which is recorded', async () => {
    const { page, goto, press, fill, sees, settled } = screen;
    await goto(`/admin/documents/${documentId}`);
    await sees('Vikram Kulkarni');
    await sees('rent.pdf');
    await sees('₹7.00');
    await settled();
    expect(await page.$$('main img:not([alt=""])')).toEqual([]);
    expect(await page.$$('main a[href*="/files/"]')).toEqual([]);
    await press('Eye');
    await sees('This is a biometric image.');
    await fill('Reason', 'Court order 12 of November');
    await page.click('[role="dialog"] button[type="submit"]');
    await page.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('[role="dialog"] img');
      return image !== null && image.naturalWidth > 0;
    });
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('main img[src^="blob:"]') === null);
    await goto(`/admin/audit?action=biometrics&search=${documentId}`);
    await lists(page, 'Court order 12 of November', 1);
  });
});

describe('payments', () => {
  it('[ADMIN-008] [ADMIN-009] are totalled, filtered, shown with their ids, and a top-up is refunded once', async () => {
    const { page, goto, press, fill, sees } = screen;
    const list = async (query: string, count: number) => {
      await goto(`/admin/payments?search=${asha.charId}${query}`);
      await lists(page, 'Asha Deshmukh', count);
    };
    await list('', 2);
    await sees('Total volume');
    await until('summed', async () =>
      page.$eval('dl[aria-label="Totals"] dd', (volume) => /^₹[1-9]/.test(volume.textContent ?? '')),
    );
    const heads = await columns(page);
    expect(heads).toEqual(expect.arrayContaining(['Payment', 'Amount', 'Status', 'Order ID', 'Payment ID']));
    await press('Wallet top-up');
    await lists(page, '₹321.00', 1);
    expect((await rows(page))[0]).toMatch(/order_\w+[\s\S]*pay_\w+/);
    await press('Refund');
    await sees('₹321.00 came from the card of Asha Deshmukh');
    await fill('Amount to refund', '20.50');
    await fill('Reason', 'Paid twice by mistake');
    await page.click('[role="dialog"] button[type="submit"]');
    await sees(/₹20\.50 (goes back|left the wallet)/);
    const { body } = await asha.call('GET', '/wallet/balance');
    expect(body['balance']).toBe(321 - 7 - 20.5);
    await until('told', async () => {
      await list('&type=refund', 1);
      return (await rows(page))[0]?.includes('₹20.50');
    });
  });
});

describe('failed events', () => {
  const rowOf = (page: Page, id: string) =>
    page.$$eval(
      'tbody [role="row"]',
      (all, wanted) => all.find((row) => row.textContent.includes(wanted))?.textContent,
      id,
    );
  const pressIn = (page: Page, id: string, name: string) =>
    page.$$eval(
      'tbody [role="row"]',
      (all, wanted, word) =>
        [...(all.find((row) => row.textContent.includes(wanted))?.querySelectorAll('button') ?? [])]
          .find((button) => button.textContent === word)
          ?.click(),
      id,
      name,
    );

  it.each([
    ['a desk', WIDE],
    ['a phone', PHONE],
  ] as const)(
    '[ADMIN-035] are applied again, or dropped with a reason that the audit log keeps, on %s',
    async (_, viewport) => {
      const [good, broken] = [await leaveDeadLetter(), await leaveDeadLetter({ amount_paise: 'many' })];
      const own = await adminScreen(browser, boss, viewport);
      const { page, goto, sees, fill } = own;
      await goto('/admin/failed-events?service=payments');
      await sees('Failed events');
      await until('both', async () => (await rowOf(page, good.id)) && rowOf(page, broken.id));
      const row = await rowOf(page, good.id);
      expect(row).toMatch(/card-movements[\s\S]*evt\.wallet\.card\.changed[\s\S]*PoisonMessage/);
      expect(row).not.toContain('private');
      await pressIn(page, good.id, 'Apply again');
      await sees('The event has been applied');
      await until('gone from the list', async () => (await rowOf(page, good.id)) === undefined);
      expect(await good.kept()).toBe(false);

      await pressIn(page, broken.id, 'Apply again');
      await sees('The event failed again');
      expect(await broken.kept()).toBe(true);
      await pressIn(page, broken.id, 'Drop');
      await sees('Drop this event?');
      await page.click('[role="dialog"] button[type="submit"]');
      await sees('Say why in a few words');
      await fill('Reason', 'Sent by an environment of ours');
      await page.click('[role="dialog"] button[type="submit"]');
      await sees('The event has been dropped');
      await until('gone from the list', async () => (await rowOf(page, broken.id)) === undefined);
      expect(await broken.kept()).toBe(false);
      await goto(`/admin/audit?action=dead-letter&search=${broken.id}`);
      await lists(page, 'a failed event', 2);
      await sees('Sent by an environment of ours');
      await own.close();
    },
  );
});

describe('pricing', () => {
  const answer = (status: number, body: object) => ({ status, body: JSON.stringify(body) });
  const rate = {
    daily_rate: 4.5,
    is_active: true,
    created_by_name: 'Asha',
    updated_by_name: 'Asha',
    created_at: '2026-11-20T00:00:00.000Z',
    updated_at: '2026-11-20T00:00:00.000Z',
    user_editing: true,
  };

  it.each([
    ['[ADMIN-012] creates the first rate by POST', 'POST', 404, { detail: 'none', code: 'pricing_not_set' }],
    ['[ADMIN-010] [ADMIN-011] [ADMIN-013] shows the rate, and changes it by PUT', 'PUT', 200, rate],
  ])('%s', async (_title, method, status, body) => {
    const own = await adminScreen(browser, boss);
    const { page, goto, fill, press, sees, says } = own;
    // The browser answers, because all journeys share the rate.
    const heal = await failing(page, {
      'GET /api/admin/pricing$': answer(status, body),
      'POST /api/admin/pricing$': answer(201, { ...rate, daily_rate: 2 }),
      'PUT /api/admin/pricing$': answer(200, { ...rate, daily_rate: 2 }),
    });
    await goto('/admin/pricing');
    if (status === 200) await says('₹4.50 a day');
    else await sees('No rate is set yet.');
    const input = await page.$eval(
      'main input[inputmode="decimal"]',
      (each) => (each as HTMLInputElement).min,
    );
    expect(input).toBe('0');
    await fill('Daily rate in rupees', '0');
    await press('Save');
    await says('Please enter a valid daily rate');
    await fill('Daily rate in rupees', '2');
    const sent = asks(page, method, /\/api\/admin\/pricing$/);
    await press('Save');
    expect((await sent).postData()).toBe('{"daily_rate":2}');
    await says('₹2.00 a day');
    await heal();
    await own.close();
  });
});
