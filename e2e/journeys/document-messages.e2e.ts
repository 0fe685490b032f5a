/** Edge cases of the document screens: incomplete profiles, failed invitations, interrupted uploads. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { dayInIndia } from '@karaar/contracts/answer-by';
import { textPdf } from '@karaar/testing/made-up/files';
import { listIn } from '@karaar/testing/list-in';
import { PHONE, textOf, WIDE } from '../src/browser/opened.ts';
import { frames } from '../src/browser/cameras.ts';
import { inDatabase } from '../src/database.ts';
import { failing, SILENT } from '../src/browser/failing.ts';
import { finalize } from '../src/journey.ts';
import { part, verification } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn, type SignedIn } from '../src/signed-in.ts';
import { toastIs, toastsOf } from '../src/browser/toasts.ts';
import { photographAndSign } from '../src/verifying.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { url } = sharedProduct;
const PDF = await textPdf('The rent is ten thousand rupees');

const folder = await newFolder();
const camera = await frames({ width: 1280, height: 720 });
const [one, two] = await Promise.all([openBrowser({ camera }), openBrowser()]);
const [owner, guest] = await Promise.all([
  signedIn(one.browser, url, 'Asha Rao', WIDE),
  signedIn(two.browser, url, 'Vikram Shah', PHONE),
]);

async function create(name: string): Promise<string> {
  const { body } = await owner.person.send('/documents/create', {
    name,
    raw_documents: part(PDF, 'application/pdf', 'rent.pdf'),
    ...(await verification(1)),
  });
  return String(body['document_id']);
}
const documentsNamed = async (name: string) => {
  const { body } = await owner.person.call(
    'GET',
    `/documents/my-documents?search=${encodeURIComponent(name)}`,
  );
  return listIn<{ document_id: string; document_code: string }>(body);
};

/** Sets the ID image of a user's record in the database. @returns the previous image */
async function setIdImage({ person }: SignedIn, path: string | null): Promise<string> {
  const [row] = await inDatabase<{ was: string }>(
    sharedProduct.postgresUrl,
    'auth',
    `UPDATE users SET govt_id_image = $2, version = users.version + 1 FROM users before
     WHERE users.id = $1 AND before.id = users.id RETURNING before.govt_id_image AS was`,
    [person.userId, path],
  );
  // The documents service learns this from an event, which would come later.
  const changed = 'UPDATE directory SET profile_complete = $2, version = version + 1 WHERE user_id = $1';
  await inDatabase(sharedProduct.postgresUrl, 'documents', changed, [person.userId, path !== null]);
  return row?.was ?? '';
}
/** The periodic check, which would leave the screen between the change and the press. */
const CHECK = 'GET /users/profile$';
const REFUSAL = 'Please complete your basic profile information first';

/** Fills the form up to the last press. */
async function prepareAgreement(
  { screen }: SignedIn,
  name: string,
  target: string,
  moreAboutPeople = async () => {},
): Promise<void> {
  const path = join(folder, 'rent.pdf');
  await writeFile(path, PDF);
  await screen.goto('/document/create');
  await screen.sees('Document Details');
  await screen.fill('Document name', name);
  await screen.upload('input[name=raw_documents]', [path]);
  await screen.press('People');
  await screen.fill('User ID of the other party', target);
  await moreAboutPeople();
  await screen.press('Sign');
  await screen.press('Create Agreement');
  await photographAndSign(screen);
  await screen.sees('signature.png');
}

it('[DASH-001] [DOC-017] [DOC-018] an incomplete profile causes a prompt, and a redirect from creating and joining', async () => {
  const PROMPT = 'Complete it to create or join documents.';
  const { screen } = guest;
  await screen.goto('/dashboard');
  await screen.sees('All Documents');
  await screen.settled();
  expect(await textOf(screen)).not.toContain(PROMPT);
  const image = await setIdImage(guest, null);
  for (const path of ['/document/create', '/document/join']) {
    await screen.goto(path);
    await screen.isAt(/^\/profile$/);
    await toastIs(screen.page, REFUSAL);
  }
  await screen.goto('/dashboard');
  await screen.sees('Your profile is 88% complete.');
  await screen.sees(PROMPT);
  await setIdImage(guest, image);
});

it('the creator chooses a date and the automatic end while creating; the review names both', async () => {
  const { screen, person } = owner;
  const day = dayInIndia(new Date(Date.now() + 5 * 86_400_000));
  await prepareAgreement(owner, 'Lease with a deadline', guest.person.charId, async () => {
    expect(await textOf(screen)).not.toContain('After the date to answer by');
    await screen.fill('Answer by', day.split('-').toReversed().join('/'));
    await screen.sees('Nothing ends by itself: people can still answer after their date.');
    await screen.page.click('main ::-p-text(Is cancelled)');
    await screen.sees('Karaar cancels the document on the next morning and tells everyone.');
  });
  const facts = await screen.page.$$eval('main dl > div', (all) => all.map(({ textContent }) => textContent));
  expect(facts).toContain('After the date to answer byIs cancelled');
  expect(facts).toContainEqual(expect.stringMatching(/^Answer by\d/));
  await screen.press('Complete Verification');
  await screen.isAt(/^\/document\/[0-9a-f-]{36}$/);
  const id = new URL(screen.page.url()).pathname.split('/').at(-1) ?? '';
  const { body } = await person.call('GET', `/documents/${id}`);
  expect(body).toMatchObject({ cancel_late: true, parties: [{}, { answer_by: day }] });
});

it('[DOC-017] the submission is refused as well if the profile changed while the form was open', async () => {
  await prepareAgreement(owner, 'Never made', guest.person.charId);
  const heal = await failing(owner.screen.page, { [CHECK]: SILENT });
  const image = await setIdImage(owner, null);
  await owner.screen.press('Complete Verification');
  await owner.screen.isAt(/^\/profile$/);
  // Before the screen reads the profile again: the browser would keep that it is incomplete.
  await setIdImage(owner, image);
  await heal();
  await toastIs(owner.screen.page, REFUSAL);
  // The document is still a draft.
  expect(await documentsNamed('Never made')).toEqual([expect.objectContaining({ status: 'draft' })]);
});

it('[DOC-018] joining is refused as well if the profile changed while the screen was open', async () => {
  const id = await create('To be joined');
  const { body } = await owner.person.call('GET', `/documents/${id}`);
  await guest.screen.goto(`/document/join?code=${String(body['document_code'])}`);
  await guest.screen.sees('How it works');
  await guest.screen.settled();
  const heal = await failing(guest.screen.page, { [CHECK]: SILENT });
  const image = await setIdImage(guest, null);
  await guest.screen.press('Join Document');
  await guest.screen.isAt(/^\/profile$/);
  await setIdImage(guest, image);
  await heal();
  await toastIs(guest.screen.page, REFUSAL);
  const parties = (await owner.person.call('GET', `/documents/${id}`)).body['parties'];
  expect(parties).toEqual([expect.objectContaining({ user_id: owner.person.userId })]);
});

it('[DOC-022] [DOC-023] a double press creates one document; its code shows for six seconds, and a failed invitation is reported', async () => {
  const { page } = owner.screen;
  await prepareAgreement(owner, 'Made once', guest.person.charId);
  const heal = await failing(page, { 'POST /documents/initiate-agreement$': SILENT });
  const button = await page.waitForSelector('aria/Complete Verification[role="button"]');
  await button?.evaluate((element) => {
    (element as HTMLButtonElement).click();
    (element as HTMLButtonElement).click();
  });
  await owner.screen.sees('Your document code', 60_000);
  const since = Date.now();
  const [made] = await documentsNamed('Made once');
  expect(await toastsOf(page)).toContainEqual(expect.stringContaining(String(made?.document_code)));
  await toastIs(owner.screen.page, 'Failed to invite user');
  await owner.screen.gone('Your document code');
  const shownMs = Date.now() - since;
  expect({ shownMs, inTime: shownMs > 5_000 && shownMs < 7_500 }).toEqual({ shownMs, inTime: true });
  await heal();
  expect(await documentsNamed('Made once')).toHaveLength(1);
});

it('[DASH-016] accepting shows the pages, then requires the verification, and sends nothing before it', async () => {
  const id = await create('To be accepted');
  await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.person.charId });
  const sent: string[] = [];
  guest.screen.page.on('request', (request) => sent.push(request.url()));
  await guest.screen.goto('/dashboard?requests=');
  await guest.screen.press('Accept');
  await guest.screen.sees('Read before you accept');
  await guest.screen.press('Continue to verification');
  await guest.screen.sees('Document Verification Required');
  expect(sent.filter((each) => each.endsWith('/respond-agreement'))).toEqual([]);
  const { body } = await owner.person.call('GET', `/documents/${id}`);
  expect(body['user_approvals']).toMatchObject({ [guest.person.userId]: { approved: false } });
});

describe('the detail page', () => {
  let id: string;
  let whole: Record<string, unknown>;
  beforeAll(async () => {
    id = await create('Looked at closely');
    whole = (await owner.person.call('GET', `/documents/${id}`)).body;
  });
  /** Shows the page with a changed document. */
  async function showing(change: Record<string, unknown>, look: () => Promise<void>): Promise<void> {
    const heal = await failing(owner.screen.page, {
      [`GET /documents/${id}$`]: { status: 200, body: JSON.stringify({ ...whole, ...change }) },
    });
    await owner.screen.goto(`/document/${id}`);
    await owner.screen.sees('Looked at closely');
    await look();
    await heal();
  }

  it('[DOC-039] shows the code, and copies it with one press', async () => {
    const { page } = owner.screen;
    const code = String(whole['document_code']);
    await page
      .browserContext()
      .overridePermissions(url, ['camera', 'clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
    await owner.screen.goto(`/document/${id}`);
    await owner.screen.sees(`${code.slice(0, 4)} ${code.slice(4)}`);
    await owner.screen.press('Copy document code');
    await page.waitForFunction(
      async (copied: string) => (await navigator.clipboard.readText()) === copied,
      { polling: 100 },
      code,
    );
  });

  it('reports a browser that does not allow copying the code', async () => {
    const { page } = owner.screen;
    const refuse = { permission: { name: 'clipboard-write' }, state: 'denied' } as const;
    await page.browserContext().setPermission(url, refuse);
    await owner.screen.press('Copy document code');
    await owner.screen.sees('Your browser did not allow copying. Select the text and copy it yourself.');
  });

  it('[DOC-041] [DOC-042] gives approved, pending and finalized their own stamps, and other states a neutral one', async () => {
    const colours: Record<string, string> = {};
    for (const status of ['pending', 'approved', 'finalized', 'pending_approval', 'rejected', 'suspended']) {
      await showing({ status }, async () => {
        colours[status] = await owner.screen.page.$eval('h1 ~ * [data-status], [data-status]', (stamp) => {
          const { color, borderColor, backgroundColor } = getComputedStyle(stamp);
          return [color, borderColor, backgroundColor].join(' ');
        });
      });
    }
    const { pending_approval: neutral, rejected, suspended, ...own } = colours;
    expect([rejected, suspended]).toEqual([neutral, neutral]);
    expect(new Set([...Object.values(own), neutral]).size).toBe(4);
  });

  it('[DOC-063] approves nothing before a document is uploaded', async () => {
    await showing({ upload_raw_docs: [], raw_files: [] }, async () => {
      await owner.screen.press('Approve Document');
      await toastIs(owner.screen.page, 'Please upload the document(s) first before approving.');
    });
    expect((await owner.person.call('GET', `/documents/${id}`)).body['status']).toBe('pending');
  });

  it('[DOC-037] [DOC-062] serves the files of a finalized document at their paths, and Make Payment links to the wallet', async () => {
    await owner.person.call('PUT', `/documents/${id}/approve/${owner.person.userId}`);
    const annex = part(new TextEncoder().encode('The keys: two'), 'text/plain', 'keys.txt');
    const sealed = await finalize(owner.person, id, annex);
    const { body } = await owner.person.call('GET', `/documents/${id}`);
    const profile = (await owner.person.call('GET', '/users/profile')).body;
    const read = async (path: unknown) => {
      const answer = await fetch(new URL(String(path), url));
      return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const [raw] = body['upload_raw_docs'] as string[];
    const [final, attached] = body['final_docs'] as string[];
    expect((await read(raw)).bytes).toEqual(Buffer.from(PDF));
    expect((await read(final)).bytes).toEqual(Buffer.from(sealed));
    expect((await read(attached)).bytes.toString()).toBe('The keys: two');
    expect((await read(profile['govt_id_image'])).type).toBe('image/jpeg');
    await owner.screen.goto(`/document/${id}`);
    await owner.screen.sees('The sealed PDF');
    await owner.screen.sees('keys.txt');
    await owner.screen.sees('Added by the creator, not part of the seal');
    await owner.screen.press('Make Payment', 'link');
    await owner.screen.isAt(/^\/wallet$/);
  });
});

it('an upload shows the progress of each file, is cancelled, continues with Try again, and is checked before it is sent', async () => {
  const { screen } = guest;
  const names = ['first.pdf', 'second.pdf'].map((name) => join(folder, name));
  // Bytes after the end make the upload longer without changing the PDF.
  for (const name of names) await writeFile(name, Buffer.concat([PDF, Buffer.alloc(300_000, '\n')]));
  await screen.goto('/document/create');
  await screen.fill('Document name', 'Slowly uploaded');
  const devtools = await screen.page.createCDPSession();
  const upload = (bytesPerSecond: number) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  await devtools.send('Network.enable');
  await upload(100_000);
  await screen.upload('input[name=raw_documents]', names);
  await screen.page.waitForFunction(
    () => {
      const [first, second] = [...document.querySelectorAll('[role=progressbar]')].map((bar) =>
        Number(bar.getAttribute('aria-valuenow')),
      );
      return first !== undefined && second === 0 && first > 10;
    },
    { polling: 50 },
  );
  await screen.press('Cancel second.pdf');
  await screen.sees('Cancelled. Try again or remove it.');
  await upload(-1);
  await screen.press('Try second.pdf again');
  // Both are checked before the form is sent.
  await screen.page.waitForFunction(() => document.body.innerText.split('1 page, ready').length === 3, {
    polling: 100,
    timeout: 60_000,
  });
  await screen.press('Save as draft');
  await screen.sees('Draft saved. Only you can see it.', 60_000);
  const { body } = await guest.person.call('GET', '/documents/my-documents?search=slowly');
  const [draft] = listIn<{ raw_files: { name: string }[] }>(body);
  expect(draft?.raw_files.map((file) => file.name)).toEqual(['first.pdf', 'second.pdf']);
});
