/**
 * What the document screens show and say: the parts that the specification names, and the text of each failure where
 * a user meets it. A failing call is answered by the browser itself, with an empty body, so that the text is ours.
 */
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { textPdf } from '@karaar/testing/made-up/files';
import type { HTTPRequest } from 'puppeteer-core';
import { documentFields, finalize } from '../src/journey.ts';
import { newPerson, part, verification, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { freshPhone, signedIn, type SignedIn } from '../src/signed-in.ts';
import { toastIs } from '../src/browser/toasts.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;
let browser: TestBrowser;
let second: TestBrowser;
let owner: SignedIn;
let guest: SignedIn;
/** Has accepted the owner's first document. */
let third: Person;
let id: string;
let code: string;
/** Documents of the owner alone: one that waits, one that is sealed. */
let alone: string;
let sealed: string;

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
  third = await newPerson(url, 'Meera Nair', freshPhone());
  for (const { charId } of [guest.person, third])
    await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: charId });
  const images = await verification(2);
  await third.send(`/documents/${id}/respond-agreement`, {
    response: 'accept',
    ...images,
    thumb: images.profile_pic,
  });
  alone = await createAlone('Kept to oneself');
  sealed = await createAlone('Sealed by oneself');
  await approveAlone(sealed);
  await finalize(owner.person, sealed);
}, 300_000);
afterAll(() => Promise.all([browser.close(), second.close()]), 60_000);

/** A document whose only party is the owner. */
async function createAlone(name: string): Promise<string> {
  const { body } = await owner.person.send('/documents/create', {
    name,
    raw_documents: part(await textPdf(name), 'application/pdf', 'note.pdf'),
    ...(await verification(1)),
  });
  return String(body['document_id']);
}
const approveAlone = (document: string) =>
  owner.person.call('PUT', `/documents/${document}/approve/${owner.person.userId}`);
const linksOf = (screen: Screen) =>
  screen.page.evaluate(() => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')));
/** The names of the buttons, and of the links that look like them, once the page has them all. */
const buttonsOf = async ({ page, settled }: Screen) => {
  await settled();
  return page.$$eval('main button, main a', (all) =>
    all.filter((each) => each.checkVisibility()).map((each) => each.textContent?.trim()),
  );
};
/** What the sheet under this title says; empty when there is none. */
const sheet = ({ page }: Screen, title: string) =>
  page.evaluate((wanted: string) => {
    const sheets = [...document.querySelectorAll<HTMLElement>('main section')];
    return sheets.find((each) => each.querySelector('h2')?.textContent === wanted)?.innerText ?? '';
  }, title);

it('[DASH-002] [DASH-003] [DASH-005] [DASH-006] [DASH-007] [DASH-008] [DASH-009] [DASH-010] [DASH-011] [DASH-012] the dashboard counts, leads to everything, and says N/A for no location', async () => {
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
  await screen.page.waitForFunction(() => !document.querySelector('main dl')?.textContent?.includes('–'));
  const counters = await screen.page.$$eval('main dl > div', (entries) =>
    entries.map((entry) => [...entry.children].map((part) => part.textContent)),
  );
  expect(counters).toEqual([
    ['Total Documents', '3'],
    ['Approved', '0'],
    ['Pending', '2'],
    ['Finalized', '1'],
  ]);
  // The chat opens with the first involved user who is not the reader; a document without another user has no
  // such link.
  const chats = await screen.page.$$eval('main table tbody tr', (rows) =>
    rows.map((each) => [
      each.querySelector('a')?.textContent,
      each.querySelector('a[href^="/chat/"]')?.getAttribute('href') ?? null,
    ]),
  );
  expect(Object.fromEntries(chats)).toEqual({
    'Orchard lease': `/chat/${guest.person.userId}`,
    'Kept to oneself': null,
    'Sealed by oneself': null,
  });
  await guest.screen.goto('/dashboard');
  await guest.screen.sees('Orchard lease');
  const ofGuest = (await linksOf(guest.screen)).filter((link) => /^\/chat\/./.test(link ?? ''));
  expect(ofGuest).toEqual([`/chat/${owner.person.userId}`]);
});

it('[ROUTE-004] [ROUTE-031] [ROUTE-032] [DOC-038] [DOC-040] [DOC-043] [DOC-044] [DOC-045] [DOC-046] [DOC-036] [DOC-047] [DOC-048] [DOC-049] [DOC-050] [DOC-051] [DOC-052] [DOC-053] [DOC-054] [DOC-055] [DOC-056] [DOC-057] [DOC-058] [DOC-060] the detail page shows all of a document, and to each what there is to do', async () => {
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
  const badge = await screen.page.$eval('main [data-status][data-large]', (stamp) => stamp.textContent);
  expect(badge).toBe('Pending');
  const people = await screen.page.$$eval('main section', (sheets) =>
    [
      ...(sheets
        .find((each) => each.querySelector('h2')?.textContent === 'Involved Users')
        ?.querySelectorAll('li') ?? []),
    ].map((person) =>
      /(Asha Rao|Vikram Shah|Meera Nair).*(Approved|Pending)/
        .exec(person.innerText.replaceAll(/\s+/g, ' '))
        ?.slice(1),
    ),
  );
  expect(people).toEqual([
    ['Asha Rao', 'Pending'],
    ['Vikram Shah', 'Pending'],
    ['Meera Nair', 'Approved'],
  ]);
  await screen.sees('₹1 a day × 7 days');
  await screen.settled();
  expect(await sheet(screen, 'Payment')).toMatch(/₹7\.00[^]*₹1 a day × 7 days[^]*Pay from Wallet/);
  expect(await sheet(screen, 'Actions')).toMatch(/Manage Users[^]*Manage Payments[^]*Chat with Users/);
  // The buttons to answer stand beside the pages, which are loaded after the rest.
  await screen.sees('Approve Document');
  const offered = await buttonsOf(screen);
  for (const button of [...OF_CREATOR, 'Verify & Approve Yourself']) expect(offered).toContain(button);
  for (const button of ['View Users', 'Join Document', 'Make Payment']) expect(offered).not.toContain(button);

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
  await guest.screen.sees('Not paid yet');
  await guest.screen.sees('Finalize is available after the document is approved.');
  const toGuest = await buttonsOf(guest.screen);
  for (const button of ['Verify & Approve Yourself', 'View Users']) expect(toGuest).toContain(button);
  for (const button of OF_CREATOR) expect(toGuest).not.toContain(button);
});

it('[FINAL-004] [DOC-061] [DOC-064] an approved document is approved no more, a finalized one finalized no more but paid for', async () => {
  const { screen } = owner;
  const finalizing = () =>
    screen.page.$$eval('main button', (buttons) =>
      buttons.flatMap((button) => (button.textContent === 'Finalize Document' ? [button.disabled] : [])),
    );
  const look = async (document: string, status: string) => {
    await screen.goto(`/document/${document}`);
    await screen.page.waitForSelector(`main [data-status=${status}][data-large]`);
    await screen.sees('Pay from Wallet');
    await screen.sees('Finalize Document');
    return buttonsOf(screen);
  };
  const pending = await look(alone, 'pending');
  expect(pending).toContain('Approve Document');
  expect(await finalizing()).toEqual([true]);
  await approveAlone(alone);
  const approved = await look(alone, 'approved');
  expect(await finalizing()).toEqual([false]);
  const finalized = await look(sealed, 'finalized');
  expect(await finalizing()).toEqual([true]);
  for (const offered of [approved, finalized]) expect(offered).not.toContain('Approve Document');
  const paid = [pending, approved, finalized].map((offered) => offered.includes('Make Payment'));
  expect(paid).toEqual([false, false, true]);
});

/** Buttons that the creator of a pending document sees, and nobody else. */
const OF_CREATOR = [
  'Manage Users',
  'Manage Payments',
  'Approve Document',
  'Finalize Document',
  'Pay from Wallet',
];

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
    await screen.says('Failed to load documents');
  });
  await failing(screen, 'GET', /pending-agreements$/, async () => {
    await screen.goto('/dashboard');
    await screen.says('Failed to fetch pending agreements');
  });
  await failing(screen, 'GET', /\/documents\/[0-9a-f-]{36}$/, async () => {
    await screen.goto(`/document/${id}`);
    await screen.says('Failed to load document');
  });
  await screen.goto(`/document/${id}`);
  await failing(screen, 'PUT', /\/approve\//, async () => {
    await screen.press('Approve Document');
    await toastIs(screen.page, 'Failed to approve document');
  });
  await screen.press('Manage Users');
  await failing(screen, 'POST', /\/add-user$/, async () => {
    await screen.fill('Add user by ID', 'ZZZZZZZZ');
    await screen.press('Add User');
    await toastIs(screen.page, 'Failed to add user');
  });
  await failing(screen, 'PUT', /\/approve-user\//, async () => {
    await screen.press('Approve & Admit Vikram Shah');
    await toastIs(screen.page, 'Failed to approve user');
  });
  await failing(screen, 'DELETE', /\/remove-user\//, async () => {
    await screen.press('Remove Vikram Shah');
    await screen.press('Remove');
    await toastIs(screen.page, 'Failed to remove user');
  });
  await failing(guest.screen, 'POST', /\/respond-agreement$/, async () => {
    await guest.screen.goto('/dashboard?requests=');
    await guest.screen.press('Reject');
    await toastIs(guest.screen.page, 'Failed to respond to agreement');
  });
});
