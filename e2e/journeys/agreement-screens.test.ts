/**
 * What the document screens show and say: the parts that the specification names, and the text of each failure where
 * a user meets it. A failing call is answered by the browser itself, with an empty body, so that the text is ours.
 */
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/chromium';
import { textPdf } from '@karaar/testing/files';
import type { HTTPRequest } from 'puppeteer-core';
import { documentFields } from '../src/journey.ts';
import { part, verification } from '../src/person.ts';
import type { Screen } from '../src/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn, type SignedIn } from '../src/signed-in.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;
let browser: TestBrowser;
let second: TestBrowser;
let owner: SignedIn;
let guest: SignedIn;
let id: string;
let code: string;

beforeAll(async () => {
  [browser, second] = await Promise.all([launchChromium(), launchChromium()]);
  [owner, guest] = await Promise.all([
    signedIn(browser.browser, url, 'Asha Rao', { width: 1440, height: 900 }),
    signedIn(second.browser, url, 'Vikram Shah', { width: 390, height: 844 }),
  ]);
  const { body } = await owner.person.send('/documents/create', {
    name: 'Orchard lease',
    description: 'Forty mango trees',
    start_date: '2026-03-01',
    end_date: '2026-03-07',
    page_details: JSON.stringify([{ page_no: 2, description: 'Boundaries' }]),
    raw_documents: part(await textPdf('The orchard', 'Its boundaries'), 'application/pdf', 'orchard.pdf'),
    ...(await verification(1)),
  });
  [id, code] = [String(body['document_id']), String(body['document_code'])];
  await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.person.charId });
}, 300_000);
afterAll(async () => {
  await Promise.all([browser.close(), second.close()]);
}, 60_000);

const linksOf = (screen: Screen) =>
  screen.page.evaluate(() => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')));

it('[DASH-002] [DASH-003] [DASH-006] [DASH-007] [DASH-008] [DASH-009] [DASH-010] the dashboard leads to everything, and says N/A for no location', async () => {
  const { screen } = owner;
  await screen.goto('/dashboard');
  await screen.sees('Orchard lease');
  await screen.sees('N/A');
  await screen.sees(`${code.slice(0, 4)} ${code.slice(4)}`);
  const [day, year] = (['day', 'year'] as const).map((part) =>
    new Date().toLocaleDateString('en-IN', { [part]: 'numeric', timeZone: 'Asia/Kolkata' }),
  );
  const row = await screen.page.$$eval('main table tbody tr', (rows) =>
    rows.map((each) => each.innerText).find((text) => text.includes('Orchard lease')),
  );
  for (const shown of [/pending/i, /N\/A/, new RegExp(`\\b${day} \\w+ ${year}\\b`)])
    expect(row).toMatch(shown);
  const links = await linksOf(screen);
  for (const path of [
    '/document/create',
    '/document/join',
    '/chat',
    '/wallet',
    '/profile',
    `/document/${id}`,
    `/document/${id}/payment`,
    `/chat/${guest.person.userId}`,
  ]) {
    expect(links).toContain(path);
  }
});

it('[ROUTE-004] [ROUTE-031] [ROUTE-032] [DOC-038] [DOC-040] [DOC-043] [DOC-044] [DOC-045] [DOC-046] [DOC-047] [DOC-049] [DOC-050] [DOC-054] [DOC-060] the detail page shows all of a document; only its creator finalizes', async () => {
  const { screen } = owner;
  await screen.goto(`/document/${id}`);
  for (const text of [
    'Orchard lease',
    'Forty mango trees',
    '1 Mar 2026',
    '7 Mar 2026',
    'Boundaries',
    'orchard.pdf',
    'Final documents',
    'Involved Users',
    'Actions',
    'Payment',
    'Finalize Document',
    'Chat with Users',
    '2 pages',
  ]) {
    await screen.sees(text);
  }
  await screen.sees(/pending/i);
  const links = await linksOf(screen);
  expect(links).toContain(`/join-document?code=${code}`);
  expect(links).toContain(`/document/${id}/payment`);
  expect(links).toContain(`/chat/${guest.person.userId}`);
  const raw = await screen.page.$eval('a[aria-label="Open orchard.pdf in a new tab"]', (link) => ({
    target: link.getAttribute('target'),
    href: link.getAttribute('href') ?? '',
  }));
  expect(raw).toEqual({ target: '_blank', href: expect.stringContaining('/api/files/') });
  await screen.press('Preview orchard.pdf');
  await screen.sees('Page 1 of 2');
  await screen.page.reload();
  await screen.sees('Page 1 of 2');

  await guest.screen.goto(`/document/${id}`);
  await guest.screen.sees('Verify & Approve Yourself');
  const text = await guest.screen.page.evaluate(() => document.body.innerText);
  for (const button of ['Manage Users', 'Approve Document', 'Finalize Document']) {
    expect(text).not.toContain(button);
  }
});

it('gives each file its page count and a picture of its first page, as they are made', async () => {
  const { body } = await owner.person.send('/documents/create', {
    ...(await documentFields()),
    name: 'Three kinds of files',
  });
  const { screen } = owner;
  await screen.goto(`/document/${String(body['document_id'])}`);
  await screen.sees('Three kinds of files');
  // Word files take a moment: the page is not loaded again for them.
  await screen.page.evaluate(() => Object.assign(window, { sameLoad: true }));
  const pages: Record<string, string> = {
    'rent.pdf': '2 pages',
    'deposit.docx': '1 page',
    'plan.png': '1 page',
  };
  await screen.page.waitForFunction(
    (wanted: Record<string, string>) =>
      Object.entries(wanted).every(([name, count]) => {
        const row = [...document.querySelectorAll('main li')].find((each) =>
          each.textContent?.includes(name),
        );
        row?.scrollIntoView({ block: 'center' });
        const picture = row?.querySelector('img');
        const drawn = picture?.complete && Math.min(picture.naturalWidth, picture.naturalHeight) > 50;
        return row?.textContent?.includes(`${count} · `) && drawn;
      }),
    { timeout: 60_000, polling: 250 },
    pages,
  );
  expect(await screen.page.evaluate(() => 'sameLoad' in window)).toBe(true);
});

it('[DOC-002] [DOC-010] [DOC-082] [DOC-083] pages are added to a list from 1; joining needs a code and shows examples', async () => {
  const { screen } = owner;
  await screen.goto('/document/create');
  await screen.press('Add Page');
  await screen.press('Add Page');
  const numbers = await screen.page.$$eval('input[type=number]', (fields) =>
    fields.map((field) => (field as HTMLInputElement).value),
  );
  expect(numbers).toEqual(['1', '2']);
  await screen.goto('/document/join');
  await screen.sees('What a code looks like');
  // Pasted as it is shown, in two groups.
  await screen.page.$eval('main form input', (input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ' 7k3m 9qxa\n');
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await screen.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('main form input')?.value === '7K3M9QXA',
  );
  await screen.fill('Document code', ' ');
  await screen.press('Join Document');
  await screen.sees('Please enter a document code');
  await screen.sees('What a code looks like');
  await screen.sees('How it works');
  expect(await linksOf(screen)).toContain('/document/create');
});

/** Answers calls that fit with an empty 500 while `work` runs. */
async function failing(
  screen: Screen,
  method: string,
  path: RegExp,
  work: () => Promise<void>,
): Promise<void> {
  const { page } = screen;
  const answer = (request: HTTPRequest) => {
    const fits = request.method() === method && path.test(new URL(request.url()).pathname);
    void (fits
      ? request.respond({ status: 500, contentType: 'application/json', body: '{}' })
      : request.continue());
  };
  await page.setRequestInterception(true);
  page.on('request', answer);
  try {
    await work();
  } finally {
    page.off('request', answer);
    await page.setRequestInterception(false);
  }
}

it('[ERROR-014] [ERROR-017] [ERROR-021] [ERROR-023] [ERROR-024] [ERROR-025] [ERROR-027] [ERROR-028] each failure says its own text', async () => {
  const { screen } = owner;
  await failing(screen, 'GET', /my-documents\/page$/, async () => {
    await screen.goto('/dashboard');
    await screen.sees('Failed to load documents');
  });
  await failing(screen, 'GET', /pending-agreements$/, async () => {
    await screen.goto('/dashboard');
    await screen.sees('Failed to fetch pending agreements');
  });
  await failing(screen, 'GET', /\/documents\/[0-9a-f-]{36}$/, async () => {
    await screen.goto(`/document/${id}`);
    await screen.sees('Failed to load document');
  });
  await screen.goto(`/document/${id}`);
  await failing(screen, 'PUT', /\/approve\//, async () => {
    await screen.press('Approve Document');
    await screen.sees('Failed to approve document');
  });
  await screen.press('Manage Users');
  await failing(screen, 'POST', /\/add-user$/, async () => {
    await screen.fill('Add user by ID', 'ZZZZZZZZ');
    await screen.press('Add User');
    await screen.sees('Failed to add user');
  });
  await failing(screen, 'PUT', /\/approve-user\//, async () => {
    await screen.press('Approve Vikram Shah');
    await screen.sees('Failed to approve user');
  });
  await failing(screen, 'DELETE', /\/remove-user\//, async () => {
    await screen.press('Remove Vikram Shah');
    await screen.press('Remove');
    await screen.sees('Failed to remove user');
  });
  await failing(guest.screen, 'POST', /\/respond-agreement$/, async () => {
    await guest.screen.goto('/dashboard?requests=');
    await guest.screen.press('Reject');
    await guest.screen.sees('Failed to respond to agreement');
  });
});
