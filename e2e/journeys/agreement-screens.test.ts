/**
 * What the document screens show and say: the parts that the specification names, and the text of each failure where
 * a user meets it. A failing call is answered by the browser itself, with an empty body, so that the text is ours.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/chromium';
import { idCardPng } from '@karaar/testing/faces';
import { textPdf } from '@karaar/testing/files';
import type { HTTPRequest } from 'puppeteer-core';
import { documentFields, finalize } from '../src/journey.ts';
import { newPerson, part, verification, type Person } from '../src/person.ts';
import type { Screen } from '../src/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { freshPhone, signedIn, type SignedIn } from '../src/signed-in.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;
let folder: string;
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
  folder = await mkdtemp(join(tmpdir(), 'karaar-agreement-screens-'));
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
afterAll(async () => {
  await Promise.all([browser.close(), second.close()]);
  await rm(folder, { recursive: true });
}, 60_000);

/** A document of the owner, with nobody else. */
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
const buttonsOf = ({ page }: Screen) =>
  page.$$eval('main button, main a', (all) =>
    all.filter((each) => each.checkVisibility()).map((each) => each.textContent?.trim()),
  );
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
  // To the first involved user who is not oneself, and to nobody from a document without another one.
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
  expect(await sheet(screen, 'Payment')).toMatch(/₹7\.00[^]*₹1 a day × 7 days[^]*Pay from Wallet/);
  expect(await sheet(screen, 'Actions')).toMatch(/Manage Users[^]*Manage Payments[^]*Chat with Users/);
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

describe('Create Agreement', () => {
  const RAW = 'input[name=raw_documents]';
  /** Opens the form with nothing kept from before. */
  const open = async (screen: Screen) => {
    await screen.goto('/robots.txt');
    await screen.page.evaluate(() => sessionStorage.clear());
    await screen.goto('/document/create');
    await screen.sees('Agreement Details');
  };
  /** Whether the button can be pressed, and what it says when not. */
  const submit = ({ page }: Screen) =>
    page.$eval('main form button[type=submit]', (button) => ({
      disabled: (button as HTMLButtonElement).disabled,
      says: document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? null,
    }));
  /** Drops files onto the upload, each with these bytes (base64). */
  const drop = ({ page }: Screen, files: Record<string, string>) =>
    page.$eval(
      RAW,
      (input, dropped) => {
        const dataTransfer = new DataTransfer();
        for (const [name, bytes] of Object.entries(dropped))
          dataTransfer.items.add(
            new File([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))], name),
          );
        const how = { dataTransfer, bubbles: true, cancelable: true };
        input.parentElement?.dispatchEvent(new DragEvent('drop', how));
      },
      files,
    );
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  /** Type, name and what is said of each file in the list. */
  const rows = ({ page }: Screen) =>
    page.$$eval('ul[aria-label=Documents] > li', (files) =>
      files.map((file) => {
        const [kind, about] = file.children;
        return [kind, ...(about?.children ?? [])].slice(0, 3).map((part) => part?.textContent ?? '');
      }),
    );

  it('[DOC-001] [DOC-012] [DOC-013] [DOC-014] [DOC-015] [DOC-016] has its fields, and says what is missing until its button can be pressed', async () => {
    const { screen } = owner;
    await open(screen);
    const labels = await screen.page.$$eval('main section', (sheets) =>
      [
        ...(sheets
          .find((each) => each.querySelector('h2')?.textContent === 'Document Details')
          ?.querySelectorAll('label') ?? []),
      ].map((label) => [label.textContent?.replace(/ \(.*/, ''), label.control?.tagName]),
    );
    expect(labels).toEqual([
      ['Document name', 'INPUT'],
      ['Location', 'INPUT'],
      ['Start date', 'INPUT'],
      ['End date', 'INPUT'],
      ['Description', 'TEXTAREA'],
    ]);
    expect(await submit(screen)).toEqual({ disabled: true, says: 'Please enter a document name' });
    await screen.fill('Document name', 'Orchard lease');
    const noTarget = 'Please enter a target user ID to create an agreement';
    expect(await submit(screen)).toEqual({ disabled: true, says: noTarget });
    expect(await sheet(screen, 'Agreement Details')).toContain('User ID of the other party');
    await screen.fill('User ID of the other party', `${guest.person.charId.toLowerCase()}ZZ`);
    const target = await screen.page.$eval('input[name=target_user_char_id]', (field) => ({
      value: (field as HTMLInputElement).value,
      most: (field as HTMLInputElement).maxLength,
    }));
    expect(target).toEqual({ value: guest.person.charId, most: 8 });
    expect(await submit(screen)).toEqual({ disabled: true, says: 'Please upload at least one document' });
    await screen.page.$eval(RAW, (input) => input.scrollIntoView());
    await drop(screen, { 'note.pdf': base64(await textPdf('A note')) });
    await screen.sees('note.pdf');
    expect(await submit(screen)).toEqual({ disabled: false, says: null });
    await screen.press('Remove note.pdf');
    await screen.sees('Please upload at least one document');
  });

  it('[DOC-002] [DOC-003] [DOC-004] [DOC-005] lists pages by whole numbers from 1, and makes 1 of what is none', async () => {
    const { screen } = owner;
    const { page } = screen;
    await open(screen);
    const numbers = () =>
      page.$$eval('input[type=number]', (fields) =>
        fields.map(({ value, min, step }) => ({ value, min, step })),
      );
    await screen.press('Add Page');
    expect(await numbers()).toEqual([{ value: '1', min: '1', step: '1' }]);
    for (const [typed, counts] of [
      ['', '1'],
      ['0', '1'],
      ['-3', '1'],
      ['e', '1'],
      ['2.9', '2'],
      ['7', '7'],
    ] as const) {
      const field = await page.waitForSelector('input[type=number]');
      await field?.click({ count: 3 });
      await page.keyboard.press('Backspace');
      await page.keyboard.type(typed);
      await page.keyboard.press('Tab');
      const [first] = await numbers();
      expect({ typed, counts: first?.value }).toEqual({ typed, counts });
    }
    await screen.press('Add Page');
    expect((await numbers()).map(({ value }) => value)).toEqual(['7', '8']);
    await screen.fill('What it holds', 'Boundaries');
  });

  it('[DOC-006] [DOC-007] [DOC-008] [DOC-009] [DOC-010] [DOC-011] [LIMIT-006] takes several dropped and chosen files of six types, shows type and size of each, and gives them back', async () => {
    const { screen } = owner;
    const { page } = screen;
    await open(screen);
    expect(await page.$eval(RAW, (input) => (input as HTMLInputElement).accept)).toBe(
      '.pdf,.doc,.docx,.png,.jpg,.jpeg',
    );
    const [text, nothing] = [base64(Buffer.from('some text')), ''];
    const six = ['a.pdf', 'b.doc', 'c.docx', 'd.png', 'e.jpg', 'f.jpeg'];
    await drop(screen, {
      ...Object.fromEntries(six.map((name) => [name, text])),
      'notes.txt': text,
      'program.exe': text,
      'empty.pdf': nothing,
    });
    for (const name of ['notes.txt', 'program.exe'])
      await screen.sees(`${name}: only PDF, DOC, DOCX, PNG, JPG and JPEG files are accepted`);
    await screen.sees('empty.pdf is empty and cannot be used');
    expect((await rows(screen)).map(([, name]) => name)).toEqual(six);

    // Files end with the page: what follows is looked at alone. Bytes behind its end are no part of a PDF.
    await open(screen);
    const pdf = await textPdf('The orchard');
    const large = Buffer.concat([pdf, Buffer.alloc(1_500_000, '\n')]);
    await writeFile(join(folder, 'deed.pdf'), pdf);
    await writeFile(join(folder, 'large.pdf'), large);
    await screen.upload(RAW, [join(folder, 'deed.pdf'), join(folder, 'large.pdf')]);
    await screen.sees('deed.pdf');
    await drop(screen, { 'plan.png': base64(await idCardPng('PLAN')) });
    await screen.sees('plan.png');
    const shown = await rows(screen);
    expect(shown.map(([kind, name]) => [kind, name])).toEqual([
      ['pdf', 'deed.pdf'],
      ['pdf', 'large.pdf'],
      ['png', 'plan.png'],
    ]);
    const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
    expect(shown[0]?.[2]).toContain(kilobytes(pdf.length));
    expect(shown[1]?.[2]).toContain(`${(large.length / 1024 / 1024).toFixed(2)} MB`);
    await screen.press('Remove large.pdf');
    await page.waitForFunction(() => !document.body.innerText.includes('large.pdf'));
    expect((await rows(screen)).map(([, name]) => name)).toEqual(['deed.pdf', 'plan.png']);
  });
});

it('[DOC-080] [DOC-081] [DOC-082] [DOC-083] joining needs a code of 8 characters and shows examples', async () => {
  const { screen } = owner;
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
  const field = () =>
    screen.page.$eval('main form input', (input) => [input.value, input.maxLength] as [string, number]);
  await screen.fill('Document code', 'abcd2345zz');
  expect(await field()).toEqual(['ABCD2345', 8]);
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
    await screen.press('Approve & Admit Vikram Shah');
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
