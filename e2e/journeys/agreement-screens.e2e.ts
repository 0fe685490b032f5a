/**
 * The document screens: the parts that the specification names, and the text of each failure. The browser answers
 * failing requests with an empty body, so that the text is the app's.
 */
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import type { HTTPRequest } from 'puppeteer-core';
import { PHONE, sheet, WIDE } from '../src/browser/opened.ts';
import { documentFields, finalize } from '../src/journey.ts';
import { newPerson, part, verification } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn, type SignedIn } from '../src/signed-in.ts';
import { toastIs } from '../src/browser/toasts.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;

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
/** Returns the names of the buttons, and of links that look like buttons. */
const buttonsOf = async ({ page, settled }: Screen) => {
  await settled();
  return page.$$eval('main button, main a', (all) =>
    all.filter((each) => each.checkVisibility()).map((each) => each.textContent?.trim()),
  );
};

const [browser, second] = await Promise.all([openBrowser(), openBrowser()]);
const [owner, guest] = await Promise.all([
  signedIn(browser.browser, url, 'Asha Rao', WIDE),
  signedIn(second.browser, url, 'Vikram Shah', PHONE),
]);
const { body } = await owner.person.send('/documents/create', {
  name: 'Orchard lease',
  location: 'Nashik',
  description: 'Forty mango trees',
  start_date: '2026-03-01',
  end_date: '2026-03-07',
  page_details: JSON.stringify([{ page_no: 2, description: 'Boundaries' }]),
  raw_documents: part(await textPdf('The orchard', 'Its boundaries'), 'application/pdf', 'orchard.pdf'),
  ...(await verification(1)),
});
const [id, code] = [String(body['document_id']), String(body['document_code'])];
/** A party who has accepted the owner's first document. */
const third = await newPerson(url, 'Meera Nair');
for (const { charId } of [guest.person, third])
  await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: charId });
const images = await verification(2);
await third.send(`/documents/${id}/respond-agreement`, {
  response: 'accept',
  ...images,
  thumb: images.profile_pic,
});
/** Documents whose only party is the owner: one that waits, one that is sealed. */
const alone = await createAlone('Kept to oneself');
const sealed = await createAlone('Sealed by oneself');
await approveAlone(sealed);
await finalize(owner.person, sealed);
for (const nth of ['first', 'second', 'third']) await approveAlone(await createAlone(`Approved, the ${nth}`));
/** A document that the owner has approved, but not the third. */
const waiting = await createAlone('Waits for Meera');
await owner.person.call('POST', `/documents/${waiting}/add-user`, { target_user_char_id: third.charId });
await approveAlone(waiting);

describe('the dashboard', () => {
  /** Returns the rows of All Documents by the document's name, with their cells and links. */
  const rowsOf = async ({ page }: Screen) =>
    Object.fromEntries(
      await page.$$eval('main table tbody tr', (rows) =>
        rows.map((row) => [
          row.querySelector('a')?.textContent ?? '',
          {
            cells: [...row.querySelectorAll('td, th')].map((cell) => cell.textContent?.trim() ?? ''),
            links: [...row.querySelectorAll('a')].map((link) => [
              link.textContent,
              link.getAttribute('href'),
            ]),
          },
        ]),
      ),
    ) as Record<string, { cells: string[]; links: (string | null)[][] }>;
  const open = async ({ screen }: SignedIn) => {
    await screen.goto('/dashboard');
    await screen.sees('Orchard lease');
    await screen.settled();
  };

  it('[DASH-002] [DASH-003] [DASH-006] links to a new document, to joining one, to chat, wallet and profile', async () => {
    await open(owner);
    const links = await owner.screen.page.$$eval('main a', (all) =>
      all.map((link) => `${link.innerText.trim().split('\n')[0]} ${link.getAttribute('href')}`),
    );
    for (const link of [
      'Create Document /document/create',
      'Join Document /document/join',
      'Chat /chat',
      'Wallet /wallet',
      'Profile /profile',
    ])
      expect(links).toContain(link);
  });

  it('[DASH-005] counts all, approved, pending and finalized documents', async () => {
    await open(owner);
    const { page } = owner.screen;
    await page.waitForFunction(() => !document.querySelector('main dl')?.textContent?.includes('–'));
    const counters = await page.$$eval('main dl > div', (entries) =>
      entries.map((entry) => [...entry.children].map((part) => part.textContent)),
    );
    // A document that waits for a second approval counts only in the total.
    expect(counters).toEqual([
      ['Total Documents', '7'],
      ['Approved', '3'],
      ['Pending', '2'],
      ['Finalized', '1'],
    ]);
  });

  it('[DASH-007] [DASH-008] [DASH-009] [DASH-010] lists each document with name, code, status, location, day and its links', async () => {
    await open(owner);
    const [day, year] = (['day', 'year'] as const).map((part) =>
      new Date().toLocaleDateString('en-IN', { [part]: 'numeric', timeZone: 'Asia/Kolkata' }),
    );
    const rows = await rowsOf(owner.screen);
    expect(Object.keys(rows)).toHaveLength(7);
    const [name, shown, status, location, created] = rows['Orchard lease']?.cells ?? [];
    const about = 'Orchard leaseWith Vikram Shah, Meera NairYour turn: read and approve';
    expect([name, status, location]).toEqual([about, 'Pending', 'Nashik']);
    // In two groups for sighted users, and whole for screen readers.
    expect(shown).toBe(`${code.slice(0, 4)} ${code.slice(4)}${code}`);
    expect(created).toMatch(new RegExp(`^${day} \\w+ ${year}$`));
    expect(rows['Kept to oneself']?.cells[3]).toBe('N/A');
    expect(rows['Orchard lease']?.links).toEqual([
      ['Orchard lease', `/document/${id}`],
      ['Chat', `/chat/${guest.person.userId}`],
      ['Payment', `/document/${id}/payment`],
      ['Manage', `/document/${id}`],
    ]);
    for (const { links } of Object.values(rows)) {
      const [, detail] = links[0]!;
      expect(detail).toMatch(/^\/document\/[0-9a-f-]{36}$/);
      expect(links.slice(-2)).toEqual([
        ['Payment', `${detail}/payment`],
        ['Manage', detail],
      ]);
    }
  });

  it('[DASH-011] [DASH-012] links to the chat with the first other party, if there is one', async () => {
    await open(owner);
    const chats = Object.entries(await rowsOf(owner.screen)).map(([name, { links }]) => [
      name,
      links.find(([, href]) => href?.startsWith('/chat/'))?.[1],
    ]);
    expect(Object.fromEntries(chats)).toEqual({
      'Orchard lease': `/chat/${guest.person.userId}`,
      'Waits for Meera': `/chat/${third.userId}`,
    });
    await open(guest);
    const ofGuest = (await linksOf(guest.screen)).filter((link) => /^\/chat\/./.test(link ?? ''));
    expect(ofGuest).toEqual([`/chat/${owner.person.userId}`]);
  });
});

describe('the detail page', () => {
  const open = async ({ screen }: SignedIn) => {
    await screen.goto(`/document/${id}`);
    await screen.sees('Involved Users');
    await screen.sees('History');
    await screen.settled();
  };
  /** Returns the people of a sheet: name, state and address of the chat link. */
  const people = ({ page }: Screen) =>
    page.$$eval('main section', (sheets) =>
      [
        ...(sheets
          .find((each) => each.querySelector('h2')?.textContent === 'Involved Users')
          ?.querySelectorAll('li') ?? []),
      ].map((person) => [
        ...(/(Asha Rao|Vikram Shah|Meera Nair).*(Approved|Pending)/
          .exec(person.innerText.replaceAll(/\s+/g, ' '))
          ?.slice(1) ?? []),
        person.querySelector('a')?.getAttribute('href') ?? null,
      ]),
    );

  it('[ROUTE-004] [DOC-038] [DOC-040] has the document’s name as its title and a badge of its status', async () => {
    await open(owner);
    const { page } = owner.screen;
    expect(await page.$eval('main h1', (title) => title.textContent)).toBe('Orchard lease');
    expect(await page.$eval('main [data-status][data-large]', (stamp) => stamp.textContent)).toBe('Pending');
  });

  it('[DOC-043] [DOC-044] shows location, both dates, when it was created, the description and each page’s details', async () => {
    await open(owner);
    const { page } = owner.screen;
    const facts = await page.$$eval('main section dl > div', (entries) =>
      entries.map(({ children: [name, value] }) => [name?.textContent, value?.textContent]),
    );
    const created = new Intl.DateTimeFormat('en-IN', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'Asia/Kolkata',
    }).format(new Date());
    expect(Object.fromEntries(facts)).toMatchObject({
      Location: 'Nashik',
      'Start date': '1 Mar 2026',
      'End date': '7 Mar 2026',
      Created: expect.stringMatching(new RegExp(`^${created}, `)),
    });
    const details = await sheet(owner.screen, 'Details');
    expect(details).toContain('Forty mango trees');
    const pages = await page.$$eval('main section ol > li', (all) =>
      all.map((each) => [...each.children].map((part) => part.textContent)),
    );
    expect(pages).toContainEqual(['Page 2', 'Boundaries']);
  });

  it('[DOC-045] [DOC-046] lists the raw documents, each with a link to a new tab and a preview on the page', async () => {
    await open(owner);
    const { screen } = owner;
    expect(await sheet(screen, 'Documents')).toMatch(/orchard\.pdf\s+2 pages · /);
    const raw = await screen.page.$eval('a[aria-label="Open orchard.pdf in a new tab"]', (link) => ({
      target: link.getAttribute('target'),
      href: link.getAttribute('href') ?? '',
    }));
    expect(raw).toEqual({ target: '_blank', href: expect.stringContaining('/api/files/') });
    await screen.page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await screen.press('Preview orchard.pdf');
    // The press moves to the pages of the file on this page.
    await screen.until('the pages of the file have the focus, drawn and in view', () => {
      const place = document.activeElement;
      const drawn = place?.querySelector('canvas');
      const box = place?.getBoundingClientRect();
      return (
        (place?.id.startsWith('file-') ?? false) &&
        (drawn?.width ?? 0) > 100 &&
        box !== undefined &&
        box.top < window.innerHeight &&
        box.bottom > 0
      );
    });
    await screen.sees('Page 1 of 2');
  });

  it('[DOC-047] lists the final documents: none before the seal, then the sealed PDF by its name', async () => {
    await open(owner);
    const { screen } = owner;
    expect(await sheet(screen, 'Final documents')).toBe('');
    const { body } = await owner.person.call('GET', `/documents/${sealed}`);
    await screen.goto(`/document/${sealed}`);
    await screen.sees('The sealed PDF');
    const files = await screen.page.$$eval('main section', (sheets) =>
      [
        ...(sheets
          .find((each) => each.querySelector('h2')?.textContent === 'Final documents')
          ?.querySelectorAll('li a') ?? []),
      ].map((link) => link.textContent),
    );
    expect(files).toEqual([`${String(body['document_code'])}.pdf`]);
  });

  it('[DOC-036] [DOC-048] [DOC-049] lists the involved users, the creator first, each Approved or Pending, with a chat link to each other one', async () => {
    await open(owner);
    expect(await people(owner.screen)).toEqual([
      ['Asha Rao', 'Pending', null],
      ['Vikram Shah', 'Pending', `/chat/${guest.person.userId}`],
      ['Meera Nair', 'Approved', `/chat/${third.userId}`],
    ]);
    await open(guest);
    expect(await people(guest.screen)).toEqual([
      ['Asha Rao', 'Pending', `/chat/${owner.person.userId}`],
      ['Vikram Shah', 'Pending', null],
      ['Meera Nair', 'Approved', `/chat/${third.userId}`],
    ]);
  });

  it('[DOC-050] [DOC-060] has a card for the payment and one for actions, with a chat', async () => {
    await open(owner);
    const { screen } = owner;
    await screen.sees('₹1 a day × 7 days');
    expect(await sheet(screen, 'Payment')).toMatch(/₹7\.00[^]*₹1 a day × 7 days[^]*Pay from Wallet/);
    expect(await sheet(screen, 'Actions')).toMatch(/Manage Users[^]*Manage Payments[^]*Chat with Users/);
    await screen.press('Chat with Users', 'link');
    await screen.isAt(new RegExp(`^/chat/${guest.person.userId}$`));
  });

  it('[ROUTE-031] [ROUTE-032] links to the page for joining by its code and to its payment page', async () => {
    await open(owner);
    const links = await owner.screen.page.$$eval('main a', (all) =>
      all.map((link) => link.getAttribute('href')),
    );
    expect(links).toContain(`/join-document?code=${code}`);
    expect(links).toContain(`/document/${id}/payment`);
  });

  it('[DOC-051] [DOC-052] [DOC-053] [DOC-054] [DOC-055] [DOC-056] offers the creator to manage, approve, finalize, pay and verify', async () => {
    await open(owner);
    // The buttons for the answer load with the pages, after the rest.
    await owner.screen.sees('Approve Document');
    const offered = await buttonsOf(owner.screen);
    for (const button of [...OF_CREATOR, 'Verify & Approve Yourself']) expect(offered).toContain(button);
    for (const button of ['View Users', 'Join Document', 'Make Payment'])
      expect(offered).not.toContain(button);
  });

  it('[DOC-051] [DOC-053] [DOC-054] [DOC-057] [DOC-058] offers another party to verify and to view, and nothing of the creator’s', async () => {
    await open(guest);
    await guest.screen.sees('Verify & Approve Yourself');
    await guest.screen.sees('Not paid yet');
    const toGuest = await buttonsOf(guest.screen);
    for (const button of ['Verify & Approve Yourself', 'View Users']) expect(toGuest).toContain(button);
    for (const button of OF_CREATOR) expect(toGuest).not.toContain(button);
  });

  it('[DOC-068] shows pending_approval in the dialog of users and payments while only the creator has approved', async () => {
    const { screen } = owner;
    await screen.goto(`/document/${waiting}?manage=`);
    await screen.sees('Manage Users and Payments');
    const stamp = await screen.page.waitForSelector('[role=dialog] [data-status]', { visible: true });
    expect(await stamp?.evaluate((each) => each.textContent)).toBe('Pending approval');
    expect((await owner.person.call('GET', `/documents/${waiting}`)).body['status']).toBe('pending_approval');
  });
});

it('[FINAL-004] [DOC-061] [DOC-064] an approved document cannot be approved again; a finalized one cannot be finalized again but can be paid', async () => {
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
    if (status === 'finalized') await screen.sees('Make Payment');
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

/** Buttons of a pending document that only its creator sees. */
const OF_CREATOR = [
  'Manage Users',
  'Manage Payments',
  'Approve Document',
  'Finalize Document',
  'Pay from Wallet',
];

it('shows the page count and a picture of the first page of each file, as soon as they exist', async () => {
  const { body } = await owner.person.send('/documents/create', {
    ...(await documentFields()),
    name: 'Three kinds of files',
  });
  const { screen } = owner;
  await screen.goto(`/document/${String(body['document_id'])}`);
  await screen.sees('Three kinds of files');
  // Word files take a moment; the page shows them without a reload.
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

/** Answers matching requests with an empty 500 while `work` runs. */
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

it('[ERROR-014] [ERROR-017] [ERROR-021] [ERROR-023] [ERROR-024] [ERROR-025] [ERROR-027] [ERROR-028] each failure has its own text', async () => {
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
