/** Only a party's own act, after reading the pages, approves for that party. On a phone and on a desktop. */
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import { overflow } from '../screens/camera.ts';
import { asked, callsOf } from '../src/browser/api-calls.ts';
import { inDatabase } from '../src/database.ts';
import { PHONE, textOf, WIDE } from '../src/browser/opened.ts';
import { part, verification, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const { url, postgresUrl } = sharedProduct;

const [one, two, three] = await Promise.all([openBrowser(), openBrowser(), openBrowser()]);
const [owner, onPhone, onDesktop] = await Promise.all([
  signedIn(one.browser, url, 'Asha Rao', WIDE),
  signedIn(two.browser, url, 'Meera Nair', PHONE),
  signedIn(three.browser, url, 'Vikram Shah', WIDE),
]);

type Lease = { id: string; code: string; path: string };

/** Creates a lease of two pages, over the API. */
async function createLease(owner: Person, name: string): Promise<Lease> {
  const { body } = await owner.send('/documents/create', {
    name,
    description: 'Forty mango trees',
    start_date: '2026-03-01',
    end_date: '2026-03-07',
    raw_documents: part(
      await textPdf('The rent is ten thousand rupees', 'The second page says more'),
      'application/pdf',
      'lease.pdf',
    ),
    ...(await verification(1)),
  });
  const id = String(body['document_id']);
  return { id, code: String(body['document_code']), path: `/document/${id}` };
}

const join = async (person: Person, { code }: Lease): Promise<unknown> =>
  person.send('/documents/join', { document_code: code, ...(await verification(2)) });

/** Joins and is admitted, over the API. */
async function admitted(owner: Person, guest: Person, lease: Lease): Promise<void> {
  await join(guest, lease);
  await owner.call('PUT', `/documents/${lease.id}/approve-user/${guest.userId}`);
}

type Approval = { approved: boolean; approved_at: string | null };

/** Returns a party's approval, as the owner sees it. */
async function approvalOf(owner: Person, party: Person, { id }: Lease): Promise<Approval | undefined> {
  const { body } = await owner.call('GET', `/documents/${id}`);
  return (body['user_approvals'] as Record<string, Approval>)[party.userId];
}

/** Waits until a page of the document is drawn and fits the window. */
async function pageIsDrawn({ page, sees }: Screen, label: string): Promise<void> {
  await sees(label);
  await page.waitForFunction(
    (wanted: string) => {
      // Only pages near the view are drawn, and the last press may have scrolled away.
      const pages = [...document.querySelectorAll('[data-reading] li')];
      pages.find((each) => each.textContent?.includes(wanted))?.scrollIntoView({ block: 'center' });
      const canvas = document.querySelector<HTMLCanvasElement>(
        `[data-reading] canvas[aria-label="${wanted}"]`,
      );
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
      return data?.some((value, at) => at % 4 === 0 && value < 100) ?? false;
    },
    { polling: 100 },
    label,
  );
  expect(await overflow(page)).toBe(0);
}

const scrollToEnd = ({ page }: Screen) =>
  page.$eval('[data-reading] section:last-of-type li:last-of-type', (last) => last.scrollIntoView());

it.each([
  ['a phone', () => onPhone],
  ['a desktop', () => onDesktop],
])(
  '[DOC-071] [DOC-053] [DOC-057] a joiner on %s is admitted, reads every page and then approves',
  async (_, guestOf) => {
    const { person, screen } = guestOf();
    const known = await createLease(owner.person, `Orchard lease for ${person.name}`);
    await join(person, known);
    await screen.goto(known.path);
    await screen.sees('You have asked to join');
    expect(await textOf(screen)).not.toContain('lease.pdf');

    // The creator admits the person, which approves nothing.
    await owner.screen.goto(`${known.path}?manage=`);
    await owner.screen.sees('Wants to join');
    await owner.screen.press(`Approve & Admit ${person.name}`);
    await owner.screen.sees(`Waiting for ${person.name} to read and approve`);
    expect(await approvalOf(owner.person, person, known)).toMatchObject({
      approved: false,
      approved_at: null,
    });

    await screen.goto('/dashboard');
    await screen.sees('Your turn: read and approve');
    await screen.settled();
    // The joiner has no invitation to answer.
    expect(await textOf(screen)).not.toContain(`Pending Agreements (1)`);
    await screen.goto(known.path);
    await screen.sees('Your turn: read, then approve');
    await pageIsDrawn(screen, 'Page 1 of 2');
    await screen.sees('Forty mango trees');
    await scrollToEnd(screen);
    await pageIsDrawn(screen, 'Page 2 of 2');
    await screen.sees('Verify & Approve Yourself');
    await screen.settled();
    for (const button of ['Approve Document', 'Manage Users', 'Finalize Document'])
      expect(await textOf(screen)).not.toContain(button);

    const { body } = await person.call('GET', `/documents/${known.id}`);
    const calls = callsOf(screen.page);
    await screen.press('Approve Agreement');
    await screen.sees('You have approved the agreement.');
    const { content_hash, parties_hash } = body;
    const sent = asked(calls, `PUT /api/documents/${known.id}/approve/${person.userId}`);
    expect(sent.map((each) => JSON.parse(each.body) as unknown)).toEqual([{ content_hash, parties_hash }]);
    expect(await approvalOf(owner.person, person, known)).toMatchObject({
      approved: true,
      approved_at: expect.any(String) as string,
    });
    await screen.gone('Your turn');

    await owner.screen.goto('/dashboard');
    await owner.screen.sees(`Orchard lease for ${person.name}`);
    await owner.screen.goto(`${known.path}?manage=`);
    await owner.screen.sees(/approved on \d/);
    await owner.screen.page.keyboard.press('Escape');
    await owner.screen.sees('Your turn: read, then approve');
    await pageIsDrawn(owner.screen, 'Page 1 of 2');
    await owner.screen.press('Approve Document');
    await owner.screen.sees('Document approved');
  },
);

it.each([
  ['a phone', () => onPhone],
  ['a desktop', () => onDesktop],
])(
  'a document that changes between reading and approving is read again before it is approved, on %s',
  async (_, guestOf) => {
    const { person, screen } = guestOf();
    const known = await createLease(owner.person, `Lease that changes for ${person.name}`);
    await admitted(owner.person, person, known);
    await screen.goto(known.path);
    await pageIsDrawn(screen, 'Page 1 of 2');
    const refusals: number[] = [];
    screen.page.on('response', (response) => {
      if (response.request().method() === 'PUT' && /\/approve\//.test(response.url()))
        refusals.push(response.status());
    });
    await beforeApproval(screen, async () => {
      await inDocuments(`UPDATE documents SET description = 'Fifty mango trees' WHERE id = $1`, [known.id]);
    });
    await screen.press('Approve Agreement');
    await screen.sees('The document has changed: read it again.');
    await screen.sees('Fifty mango trees');
    expect(refusals).toEqual([409]);
    expect(await approvalOf(owner.person, person, known)).toMatchObject({ approved: false });
    expect(await disabled(screen, 'Approve Agreement')).toBe(true);

    await pageIsDrawn(screen, 'Page 1 of 2');
    await screen.press('I have read it again');
    await screen.press('Approve Agreement');
    await screen.sees('You have approved the agreement.');
    expect(refusals).toEqual([409, 200]);
  },
);

it('a party sees the new parties before the approval', async () => {
  const { person, screen } = onPhone;
  const known = await createLease(owner.person, 'Lease with one more');
  await admitted(owner.person, person, known);
  await screen.goto(known.path);
  await pageIsDrawn(screen, 'Page 1 of 2');
  await owner.person.call('POST', `/documents/${known.id}/add-user`, {
    target_user_char_id: onDesktop.person.charId,
  });
  await screen.sees('The parties have changed: see who they are.');
  await screen.sees(`${person.name}, ${onDesktop.person.name}`);
  expect(await disabled(screen, 'Approve Agreement')).toBe(true);
  await screen.press('I have seen the parties');
  await screen.press('Approve Agreement');
  await screen.sees('You have approved the agreement.');
});

const disabled = ({ page }: Screen, name: string) =>
  page.$eval(`::-p-aria(${name}[role="button"])`, (button) => (button as HTMLButtonElement).disabled);

/**
 * Holds the next approval of a screen until `change` is done. After an earlier change the screen could reload the
 * document and disable the button before the press.
 */
async function beforeApproval({ page }: Screen, change: () => Promise<void>): Promise<void> {
  let changed: Promise<void> | undefined;
  await page.exposeFunction('beforeApproval', () => (changed ??= change()));
  await page.evaluate(() => {
    // exposeFunction has added it.
    const { beforeApproval: change, fetch: send } = window as typeof window & {
      beforeApproval: () => Promise<void>;
    };
    window.fetch = async (input, init) => {
      if (init?.method === 'PUT' && String(input).includes('/approve/')) await change();
      return send(input, init);
    };
  });
}

/** Changes a document in the database, because no route changes a document that others can see. */
const inDocuments = (sql: string, values: unknown[]) => inDatabase(postgresUrl, 'documents', sql, values);
