/** Reports of users about users: admins see both users and the reason, but no messages, and close the report. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { adminScreen, asks, lists, newAdmin, rows } from '../src/admins.ts';
import { failing, SILENT } from '../src/browser/failing.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { url } = sharedProduct;
const DETAILS = `He asks for money ${randomUUID()}`;
const SECRET = `Meet me at the bank ${randomUUID()}`;

const { browser } = await openBrowser();
const supporter = await newAdmin('support');
const nisha = await newPerson(url, 'Nisha Bhosale');
const kiran = await newPerson(url, 'Kiran Jadhav');
await kiran.send('/messaging/send', { receiver_id: nisha.userId, content: SECRET });
await nisha.call('POST', '/messaging/reports', {
  user_id: kiran.userId,
  reason: 'fraud',
  details: DETAILS,
});

it('a supporter sees the report but no message, finds the reported user, and closes it with a note', async () => {
  const { page, goto, press, fill, sees, isAt, close } = await adminScreen(browser, supporter);
  const mine = async () => (await rows(page)).find((row) => row.includes(DETAILS));
  const answers: Promise<string>[] = [];
  page.on('response', (answer) => {
    if (answer.url().includes('/api/admin/reports')) answers.push(answer.text());
  });
  await goto('/admin/overview');
  await press('Reports', 'link');
  await isAt(/^\/admin\/reports$/);
  await until('the report', mine);
  const row = await mine();
  for (const part of ['Kiran Jadhav', kiran.charId, 'Nisha Bhosale', nisha.charId, 'Fraud', 'Open'])
    expect(row).toContain(part);
  expect(await page.content()).not.toContain(SECRET);
  const told = (await Promise.all(answers)).join();
  expect(told).toContain(DETAILS);
  expect(told).not.toContain(SECRET);

  const link = `tbody a[href="/admin/users?search=${kiran.charId}"]`;
  await page.click(link);
  await lists(page, 'Kiran Jadhav', 1);
  await page.goBack();

  // Reports of other journeys may be above this one.
  const open = async () => {
    await page.waitForSelector(link);
    await page.$eval(link, (each) =>
      each.closest('tr')?.querySelector<HTMLElement>('td:last-child button')?.click(),
    );
  };
  await open();
  await sees('Close the report about Kiran Jadhav?');
  await page.click('[role="dialog"] button[type="submit"]');
  await sees('Say why in a few words');
  await fill('Note', 'Spoke with both of them');
  const sent = asks(page, 'POST', /\/api\/admin\/reports\/[^/]+\/resolve$/);
  await page.click('[role="dialog"] button[type="submit"]');
  expect((await sent).postData()).toBe('{"note":"Spoke with both of them"}');
  await sees('The report about Kiran Jadhav is closed');
  await until('gone from the open ones', async () => (await mine()) === undefined);
  await press('Closed');
  await until('among the closed ones', mine);
  expect(await mine()).toContain('Spoke with both of them');
  await page.reload({ waitUntil: 'domcontentloaded' });
  await until('the filter of the address', mine);
  await press('All');
  await until('among all', mine);
  await close();
});

it('a list that fails to load shows an error and loads again; an empty list explains its purpose', async () => {
  const { page, goto, press, sees, close } = await adminScreen(browser, supporter);
  const path = 'GET /api/admin/reports$';
  const heal = await failing(page, { [path]: SILENT });
  await goto('/admin/reports');
  await sees('The reports could not be loaded');
  await heal();
  const back = await failing(page, { [path]: { status: 200, body: '[]' } });
  await press('Try again');
  await sees('No open reports');
  await back();
  await close();
});

it('the screen and the service refuse an editor', async () => {
  const editor = await newAdmin('editor');
  const { page, goto, sees, settled, close } = await adminScreen(browser, editor);
  await goto('/admin/reports');
  await sees('Your role cannot open this page');
  await settled();
  expect(await page.$('nav a[href="/admin/reports"]')).toBeNull();
  const answer = await fetch(`${url}/api/admin/reports`, {
    headers: { authorization: `Bearer ${editor.token}` },
  });
  expect(answer.status).toBe(403);
  await close();
});
