/** The life of an agreement on the screens of both sides, from the invitation to the shares of the charge. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { faceImage } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { until } from '@karaar/testing/until';
import { PHONE, textOf, WIDE } from '../src/browser/opened.ts';
import { asked, callsOf } from '../src/browser/api-calls.ts';
import { frames, photoQualities, watchPhotos } from '../src/browser/cameras.ts';
import { part, verification } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { toastIs, toastsOf } from '../src/browser/toasts.ts';
import { photographAndSign } from '../src/verifying.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;

const folder = await newFolder();
const camera = await frames({ width: 1280, height: 720 });
const [one, two, three] = await Promise.all([openBrowser(), openBrowser(), openBrowser({ camera })]);
const [owner, guest, third] = await Promise.all([
  signedIn(one.browser, url, 'Asha Rao', WIDE),
  signedIn(two.browser, url, 'विक्रम शाह', PHONE),
  signedIn(three.browser, url, 'Meera Nair', PHONE),
]);

async function create(name: string): Promise<{ id: string; code: string }> {
  const { body } = await owner.person.send('/documents/create', {
    name,
    start_date: '2026-03-01',
    end_date: '2026-03-07',
    raw_documents: part(await textPdf('The rent is ten thousand rupees'), 'application/pdf', 'rent.pdf'),
    ...(await verification(1)),
  });
  return { id: String(body['document_id']), code: String(body['document_code']) };
}

const ALL_FOUR = 'Please upload all required verification documents';

/** Takes both photos, signs and completes. @param thumb file of a fingerprint, which only accepting requires */
async function verifies(screen: Screen, thumb?: string): Promise<void> {
  await screen.sees('Document Verification Required');
  if (thumb !== undefined) {
    await screen.press('Complete Verification');
    await toastIs(screen.page, ALL_FOUR);
    await screen.press('Dismiss');
    await screen.gone(ALL_FOUR);
  }
  await screen.page.evaluate(watchPhotos);
  await screen.press('Capture Now: Profile photo');
  await photographAndSign(screen);
  // The dashboard's dialog, which also asks for a fingerprint, uses another quality.
  const quality = thumb === undefined ? 0.85 : 0.8;
  expect(await photoQualities(screen.page)).toEqual([quality, quality]);
  if (thumb !== undefined) {
    await screen.press('Complete Verification');
    await toastIs(screen.page, ALL_FOUR);
    await screen.upload('input[name=thumb]', [thumb]);
  }
  await screen.press('Complete Verification');
}

it('[DOC-069] [DOC-070] the creator adds a user by an ID of at most 8 characters; a missing ID is an error', async () => {
  const { id } = await create('Lease of a well');
  const { screen } = owner;
  const calls = callsOf(screen.page);
  await screen.goto(`/document/${id}`);
  await screen.press('Manage Users');
  await screen.press('Add User');
  await toastIs(screen.page, 'Please enter a user ID');
  await screen.fill('Add user by ID', `${third.person.charId.toLowerCase()}ZZ`);
  const field = await screen.page.$$eval('[role=dialog] label', (labels) => {
    const input = labels.find((label) => label.textContent?.startsWith('Add user by ID'))?.control;
    return input instanceof HTMLInputElement ? [input.value, input.maxLength] : [];
  });
  expect(field).toEqual([third.person.charId, 8]);
  const path = `POST /api/documents/${id}/add-user`;
  expect(asked(calls, path)).toEqual([]);
  await screen.press('Add User');
  await toastIs(screen.page, 'Meera Nair has been added.');
  expect(asked(calls, path).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    expect.objectContaining({ target_user_char_id: third.person.charId }),
  ]);
  expect((await owner.person.call('GET', `/documents/${id}`)).body['involved_users']).toEqual([
    owner.person.userId,
    third.person.userId,
  ]);
  await owner.person.call('DELETE', `/documents/${id}/remove-user/${third.person.userId}`);
});

it('[DASH-004] [DASH-014] [DASH-015] [DASH-018] [DASH-019] [DASH-020] a request is rejected at once, without images; the dashboard reloads its documents and shows it', async () => {
  const { id } = await create('Lease of a mill');
  await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.person.charId });
  const { page, goto, sees, press, says, gone, settled } = guest.screen;
  const requests = () => page.$$eval('[role=dialog] li h3', (heads) => heads.map((head) => head.textContent));
  await goto('/dashboard');
  await press('Pending Agreements (1)');
  await sees('Pending Agreement Requests');
  await sees('Lease of a mill');
  expect(await requests()).toEqual(['Lease of a mill']);
  const offered = await page.$$eval('[role=dialog] li button', (all) => all.map((each) => each.textContent));
  expect(offered).toEqual(expect.arrayContaining(['Accept', 'Reject']));
  await settled();
  await page.evaluate(() => Object.assign(window, { sameLoad: true }));
  const calls = callsOf(page);
  await press('Reject');
  await toastIs(page, 'You rejected the agreement.');
  // The press opens no dialog and asks for no image.
  expect(await textOf(guest.screen)).not.toContain('Document Verification Required');
  expect(asked(calls, `POST /api/documents/${id}/respond-agreement`)).toHaveLength(1);
  await says('All caught up');
  expect(await requests()).toEqual([]);
  await press('Close');
  await gone(/Pending Agreements \(\d+\)/);
  await settled();
  expect(asked(calls, 'GET /api/documents/my-documents/page').length).toBeGreaterThan(0);
  const row = await page.$$eval('main table tbody tr, main table [role=row]', (rows) =>
    rows.map((each) => (each as HTMLElement).innerText).find((text) => text.includes('Lease of a mill')),
  );
  expect(row).toMatch(/rejected/i);
  expect(await page.evaluate(() => 'sameLoad' in window)).toBe(true);
});

it('[ROUTE-035] [DOC-084] [CAPTURE-031] joining by a link with the code requires the verification before the request', async () => {
  const { id, code } = await create('Lease of a loft');
  const { screen } = third;
  const calls = callsOf(screen.page);
  const path = 'POST /api/documents/join';
  await screen.goto(`/join-document?code=${code}`);
  await screen.isAt(/^\/document\/join$/);
  await screen.press('Join Document');
  await screen.sees('Document Verification Required');
  await screen.settled();
  expect(asked(calls, path)).toEqual([]);
  await verifies(screen);
  await toastIs(screen.page, 'Your request was sent. The creator of the document will approve it.');
  expect(asked(calls, path)).toHaveLength(1);
  const parties = (await owner.person.call('GET', `/documents/${id}`)).body['parties'];
  expect(parties).toContainEqual(
    expect.objectContaining({ user_id: third.person.userId, state: 'requested' }),
  );
});

it('[DOC-071] the dialog lists the users, and the creator admits each with a button', async () => {
  const { id, code } = await create('Lease of a shed');
  await third.person.send('/documents/join', { document_code: code, ...(await verification(3)) });
  await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.person.charId });
  const { screen } = owner;
  const calls = callsOf(screen.page);
  await screen.goto(`/document/${id}?manage=`);
  await screen.sees('Current users');
  await screen.settled();
  const dialog = await screen.page.$eval('[role=dialog]', (each) => (each as HTMLElement).innerText);
  for (const name of ['Asha Rao', 'विक्रम शाह', 'Meera Nair']) expect(dialog).toContain(name);
  const named = await screen.page.$$eval('[role=dialog] button[aria-label^="Approve & Admit"]', (all) =>
    all.map((each) => each.getAttribute('aria-label')),
  );
  expect(named.toSorted()).toEqual(['Approve & Admit Meera Nair', 'Approve & Admit विक्रम शाह']);
  await screen.press('Approve & Admit Meera Nair');
  await screen.sees('Waiting for Meera Nair to read and approve');
  expect(asked(calls, `PUT /api/documents/${id}/approve-user/${third.person.userId}`)).toHaveLength(1);
  await owner.person.call('DELETE', `/documents/${id}/remove-user/${guest.person.userId}`);
});

it('an invited party rejects, is invited again and approves; a third user joins by code; the charge is shared', async () => {
  const { id, code } = await create('Shop lease, MG Road');
  const detail = `/document/${id}`;

  // A reload keeps the dialog open.
  await owner.screen.goto(detail);
  await owner.screen.press('Manage Users');
  await owner.screen.sees('Manage Users and Payments');
  await owner.screen.page.reload();
  await owner.screen.sees('Manage Users and Payments');
  await owner.screen.fill('Add user by ID', guest.person.charId.toLowerCase());
  // The creator chooses the language of the other party.
  await owner.screen.choose('Language of the invitation SMS', 'hi');
  await owner.screen.press('Add User');
  await owner.screen.sees('विक्रम शाह has been added.');

  // The invited party gets a text message with a link, and rejects on a phone.
  await guest.screen.goto('/dashboard');
  await guest.screen.press('Pending Agreements (1)');
  await guest.screen.sees('Shop lease, MG Road');
  await guest.screen.press('Reject');
  await guest.screen.sees('You rejected the agreement.');
  await guest.screen.sees('All caught up');
  await guest.screen.press('Close');
  await guest.screen.gone('Pending Agreements (1)');
  const inbox = await fetch(`${url}/dev/sms?phone_no=${encodeURIComponent(guest.person.phone)}`);
  const texts = (await inbox.json()) as { text: string }[];
  const invitation = texts.find((sms) => sms.text.includes(`/document/${id}`));
  expect(invitation?.text).toContain('आमंत्रित किया है');

  // Both sides see the rejection; a second invitation reopens the document.
  await owner.screen.goto(detail);
  await owner.screen.sees('विक्रम शाह rejected this agreement.');
  await owner.screen.sees('Rejected the agreement');
  await guest.screen.goto(detail);
  await guest.screen.sees('You rejected the agreement.');
  await owner.screen.press('Manage Users');
  await owner.screen.fill('Add user by ID', guest.person.charId);
  await owner.screen.press('Add User');
  await owner.screen.sees('Waiting for विक्रम शाह');
  const images = await verification(2);
  await guest.person.send(`/documents/${id}/respond-agreement`, {
    response: 'accept',
    ...images,
    thumb: images.profile_pic,
  });

  await third.screen.goto(`/join-document?code=${code}`);
  await third.screen.isAt(/^\/document\/join$/);
  await third.screen.press('Join Document');
  await verifies(third.screen);
  await third.screen.sees('Your request was sent.', 60_000);
  await third.screen.goto(detail);
  await third.screen.sees('You have asked to join');

  await owner.screen.goto(`${detail}?manage=`);
  await owner.screen.sees('Wants to join');
  await owner.screen.press('Approve & Admit Meera Nair');
  await owner.screen.sees('Waiting for Meera Nair to read and approve');
  // The creator's admission lets the joiner read; the joiner approves.
  await third.screen.goto(detail);
  await third.screen.sees('Involved Users');
  await third.screen.sees('View Users');
  await third.screen.sees('Page 1 of 1');
  await third.screen.press('Approve Agreement');
  await third.screen.sees('You have approved the agreement.');
  // The guest had approved before the third joined.
  await guest.screen.goto(detail);
  await guest.screen.sees('The approval of विक्रम शाह ended because the people in this agreement changed');
  await guest.screen.sees('Your approval ended because the people in this agreement changed.');
  await guest.screen.press('Approve Agreement');
  await guest.screen.sees('You have approved the agreement.');

  // The creator approves last; then all parties see the shares of the charge.
  await owner.screen.goto(detail);
  await owner.screen.press('Approve Document');
  await owner.screen.sees('Document approved');
  await owner.screen.press('Manage Payments');
  await owner.screen.fill('Asha Rao', '60');
  await owner.screen.fill('विक्रम शाह', '50');
  await owner.screen.fill('Meera Nair', '0');
  await owner.screen.press('Set up distribution');
  await owner.screen.sees('Total percentage cannot exceed 100%');
  await owner.screen.fill('विक्रम शाह', '30');
  await owner.screen.press('Set up distribution');
  await owner.screen.sees('Total percentage must equal 100%');
  await owner.screen.fill('विक्रम शाह', '40');
  await owner.screen.press('Set up distribution');
  await owner.screen.sees('Payment distribution set up');
  await owner.screen.sees('60% · ₹4.20');
  await guest.screen.goto(`${detail}?manage=`);
  await guest.screen.sees('Only the creator of the document can add, approve or remove users.');
  await guest.screen.press('Payments', 'tab');
  await guest.screen.sees('40% · ₹2.80');
  await owner.screen.goto(detail);
  await owner.screen.sees('Admitted Meera Nair');
});

it('[DASH-013] [DASH-017] [DASH-019] [DASH-029] [CAPTURE-033] the pending list has the unanswered invitations: only an answered document leaves it, after a rejection and after an acceptance', async () => {
  const { person, screen } = third;
  const names = ['Loan of a loom', 'Lease of a shop', 'Lease of a field'];
  let loom = '';
  for (const name of names) {
    const { id } = await create(name);
    if (name === 'Loan of a loom') loom = id;
    await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: person.charId });
  }
  // A request to join without an invitation waits for the creator.
  const joined = await create('Lease of a boat');
  await person.send('/documents/join', { document_code: joined.code, ...(await verification(3)) });
  // The creator's early approval leaves the request open.
  await owner.person.call('PUT', `/documents/${loom}/approve/${owner.person.userId}`);
  expect((await owner.person.call('GET', `/documents/${loom}`)).body['status']).toBe('pending_approval');
  await owner.screen.goto('/dashboard');
  await owner.screen.sees('Loan of a loom');
  await owner.screen.settled();
  expect(await textOf(owner.screen)).not.toContain('Pending Agreements');

  // Only the dialog's list, because the screen behind it lists all documents.
  const lists = (...wanted: string[]) =>
    screen.page.waitForFunction(
      (expected: string) =>
        [...document.querySelectorAll('[role=dialog] li h3')]
          .map((head) => head.textContent)
          .sort()
          .join() === expected,
      {},
      wanted.sort().join(),
    );
  const answer = (name: string, word: string) =>
    screen.page.$$eval(
      '[role=dialog] li',
      (items, of, press) => {
        const item = items.find((each) => each.querySelector('h3')?.textContent === of);
        [...(item?.querySelectorAll('button') ?? [])]
          .find((each) => each.textContent?.includes(press))
          ?.click();
      },
      name,
      word,
    );
  await screen.goto('/dashboard');
  await screen.press('Pending Agreements (3)');
  await lists(...names);

  await answer('Lease of a shop', 'Reject');
  await screen.sees('You rejected the agreement.');
  await lists('Lease of a field', 'Loan of a loom');

  await answer('Lease of a field', 'Accept');
  await screen.sees('Read before you accept');
  await screen.sees('Page 1 of 1');
  await screen.press('Continue to verification');
  const thumb = join(folder, 'thumb.jpg');
  await writeFile(thumb, await faceImage({ width: 640, height: 480 }));
  await verifies(screen, thumb);
  await screen.sees('You accepted the agreement.', 60_000);
  await lists('Loan of a loom');

  // A reload shows the same.
  await screen.goto('/dashboard');
  await screen.press('Pending Agreements (1)');
  await lists('Loan of a loom');
});

it('[DOC-074] a party who is not the creator sees the parties in the dialog, and can change nothing there', async () => {
  const { id } = await create('Van rental');
  await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.person.charId });
  const { goto, says, settled, page } = guest.screen;
  await goto(`/document/${id}?manage=`);
  await says('Only the creator of the document can add, approve or remove users.');
  await settled();
  const dialog = await page.$eval('[role=dialog]', (each) => (each as HTMLElement).innerText);
  for (const name of ['Asha Rao', 'विक्रम शाह']) expect(dialog).toContain(name);
  const buttons = await page.$$eval('[role=dialog] button', (all) =>
    all.map((each) => each.ariaLabel ?? each.textContent),
  );
  expect(buttons.filter((name) => /^(Add|Approve|Remove)/.test(name ?? ''))).toEqual([]);
  expect(await page.$$('[role=dialog] input')).toEqual([]);
  await owner.person.call('DELETE', `/documents/${id}/remove-user/${guest.person.userId}`);
});

it('[DOC-072] [DOC-073] [DOC-059] a removed party loses access to the document; declining the confirmation removes no party', async () => {
  const { id } = await create('Car rental');
  await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.person.charId });
  await guest.screen.goto(`/document/${id}`);
  await guest.screen.sees('Your turn: read, then answer');
  const calls = callsOf(owner.screen.page);
  const removal = `DELETE /api/documents/${id}/remove-user/${guest.person.userId}`;
  const involved = async () => (await owner.person.call('GET', `/documents/${id}`)).body['involved_users'];

  await owner.screen.goto(`/document/${id}?manage=`);
  await owner.screen.press('Remind विक्रम शाह');
  await owner.screen.sees('विक्रम शाह will be reminded.');
  await owner.screen.sees('Reminded');
  const removable = await owner.screen.page.$$eval('[role=dialog] button', (all) =>
    all.map((each) => each.ariaLabel ?? each.textContent).filter((name) => name?.startsWith('Remove')),
  );
  expect(removable).toEqual(['Remove विक्रम शाह']);
  await owner.screen.press('Remove विक्रम शाह');
  const question = 'Are you sure you want to remove विक्रम शाह from this document?';
  await owner.screen.says(question);
  await owner.screen.press('Cancel');
  await owner.screen.gone(question);
  await owner.screen.settled();
  expect(asked(calls, removal)).toEqual([]);
  expect(await involved()).toEqual([owner.person.userId, guest.person.userId]);
  await owner.screen.press('Remove विक्रम शाह');
  await owner.screen.press('Remove');
  await toastIs(owner.screen.page, 'The user was removed.');
  expect(asked(calls, removal)).toHaveLength(1);
  expect(await involved()).toEqual([owner.person.userId]);

  await guest.screen.goto(`/document/${id}`);
  await guest.screen.sees('You do not have access to');
  await guest.screen.sees('Join Document');
  expect(await textOf(guest.screen)).not.toContain('rent.pdf');
});

it('[DOC-097] [DOC-013] [DOC-016] [DASH-007] a draft is kept, found, continued and deleted; no other user sees it', async () => {
  const path = join(folder, 'terms.pdf');
  await writeFile(path, await textPdf('Terms of the draft', 'Second page'));
  const { screen } = owner;
  await screen.goto('/document/create');
  await screen.press('Save as draft');
  await until('it says so', async () =>
    (await toastsOf(screen.page)).includes('Please enter a document name'),
  );
  await screen.fill('Document name', 'Half-written lease');
  await screen.upload('input[name=raw_documents]', [path]);
  await screen.sees('terms.pdf');
  await screen.press('Sign');
  const submit = await screen.page.waitForSelector('aria/Create Agreement[role="button"]');
  expect(await submit?.evaluate((button) => (button as HTMLButtonElement).disabled)).toBe(true);
  await screen.press('Save as draft');
  await screen.sees('Draft saved. Only you can see it.', 60_000);
  await screen.sees('Create Agreement: draft');

  // The dashboard finds it by search and filter, which the address contains.
  await screen.goto('/dashboard?q=half-written&status=draft');
  await screen.sees('Half-written lease');
  await screen.press('Continue', 'link');
  await screen.isAt(/^\/document\/create$/);
  await screen.page.reload();
  await screen.sees('terms.pdf');
  expect(await screen.page.$eval('input[name=name]', (field) => (field as HTMLInputElement).value)).toBe(
    'Half-written lease',
  );
  await guest.screen.goto('/dashboard');
  await guest.screen.sees('All Documents');
  await guest.screen.settled();
  expect(await textOf(guest.screen)).not.toContain('Half-written lease');

  await screen.press('Discard draft');
  await screen.sees('The draft and its files will be permanently deleted. Continue?');
  await screen.page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('[role=dialog] button')];
    (dialogs.find((button) => button.textContent?.includes('Discard draft')) as HTMLButtonElement).click();
  });
  await screen.isAt(/^\/dashboard$/);
  await screen.sees('Draft discarded');
});
