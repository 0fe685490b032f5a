/** The document page: pages with selectable text come first, and a bar shows the next action of the user. */
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import { overflow } from '../screens/camera.ts';
import { failing } from '../src/browser/failing.ts';
import { agree, codeOf, finalize } from '../src/journey.ts';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { part, verification } from '../src/person.ts';
import { openScreen, type Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn, type SignedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;

const [one, two] = await Promise.all([openBrowser(), openBrowser()]);
const [owner, guest] = await Promise.all([
  signedIn(one.browser, url, 'Asha Rao', WIDE),
  signedIn(two.browser, url, 'Vikram Shah', PHONE),
]);

type Shift = { value: number; moved: string[] };

/** Runs in the page before the app: collects the layout shifts, as browsers report them. */
function collectShifts(): void {
  type Entry = PerformanceEntry & {
    value: number;
    sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[];
  };
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    // TypeScript does not know this kind of entry.
    for (const { value, sources } of list.getEntries() as Entry[])
      shifts.push({
        value,
        moved: sources.map(
          ({ node, previousRect: from, currentRect: to }) =>
            `${node?.className || node?.nodeName} ${Math.round(from.y)}+${Math.round(from.height)} to ${Math.round(to.y)}+${Math.round(to.height)}`,
        ),
      });
  }).observe({ type: 'layout-shift', buffered: true });
}

const SIZES = [
  ['390 px', PHONE],
  ['1440 px', WIDE],
] as const;

async function create(name: string): Promise<string> {
  const { body } = await owner.person.send('/documents/create', {
    name,
    start_date: '2026-12-01',
    end_date: '2026-12-07',
    raw_documents: part(
      await textPdf('The rent is ten thousand rupees', 'The second page says more'),
      'application/pdf',
      'lease.pdf',
    ),
    ...(await verification(1)),
  });
  return String(body['document_id']);
}
const invite = (id: string, { person }: SignedIn) =>
  owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: person.charId });

/** Returns the labels of the primary buttons and links of the page, outside dialogs. */
const primaries = ({ page }: Screen): Promise<string[]> =>
  page.evaluate(() => {
    // A button has the second colour while the pointer is on it.
    const colours = ['--k-blue', '--k-blue-hover'].map((name) => {
      const sample = document.body.appendChild(document.createElement('i'));
      sample.style.background = `var(${name})`;
      const { backgroundColor } = getComputedStyle(sample);
      sample.remove();
      return backgroundColor;
    });
    return [...document.querySelectorAll<HTMLElement>('main button, main a')]
      .filter((each) => colours.includes(getComputedStyle(each).backgroundColor) && each.offsetHeight > 0)
      .map((each) => each.innerText.trim());
  });

/** Users who wait have nothing to do. */
const WITHOUT_ACTION = ['wait', 'sealing'];

/**
 * Returns the text of the bar of this kind, if it stays in the window while the page scrolls. Throws if the page
 * does not have exactly one primary action, or none while the user waits.
 */
async function bar(screen: Screen, kind: string): Promise<string> {
  const { page } = screen;
  await page.waitForSelector(`[data-next=${kind}]`, { visible: true });
  await screen.settled();
  const actions = await primaries(screen);
  if (actions.length !== (WITHOUT_ACTION.includes(kind) ? 0 : 1))
    throw new Error(`The primary actions at "${kind}" are: ${actions.join(', ') || 'none'}`);
  return page.evaluate(async () => {
    const place = document.querySelector<HTMLElement>('[data-next]');
    const inView = () => {
      const box = place?.getBoundingClientRect();
      return box !== undefined && box.top >= 0 && box.bottom <= innerHeight && box.height > 0;
    };
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const seen = [];
    for (const at of [0, 500]) {
      window.scrollTo({ top: at, behavior: 'instant' });
      await drawn();
      seen.push(inView());
    }
    window.scrollTo({ top: 0, behavior: 'instant' });
    return seen.every(Boolean) ? (place?.innerText ?? '') : `out of view: ${seen.join()}`;
  });
}

/** Returns the scroll distance in pixels; at the end of a page a browser rounds it. */
const moved = ({ page }: Screen, before: number) =>
  page.evaluate((at: number) => Math.abs(window.scrollY - at), before);

/** Waits until the text of the first page can be selected. */
async function firstPage({ page }: Screen): Promise<{ top: number; selected: string }> {
  await page.waitForFunction(() => document.querySelector('[data-reading] .textLayer')?.textContent !== '', {
    polling: 100,
  });
  await page.waitForSelector('[data-reading] .textLayer span');
  return page.evaluate(() => {
    const layer = document.querySelector('[data-reading] .textLayer');
    const top = layer?.getBoundingClientRect().top ?? Infinity;
    getSelection()?.selectAllChildren(layer as Node);
    const selected = getSelection()?.toString() ?? '';
    getSelection()?.removeAllRanges();
    return { top, selected };
  });
}

it.each(SIZES)(
  'an invited person at %s sees the pages at once, also as text, and one next action',
  async (_, size) => {
    const id = await create(`Lease read at ${size.width}`);
    await invite(id, guest);
    const { screen } = guest;
    await screen.page.setViewport(size);
    await screen.goto(`/document/${id}`);
    expect(await bar(screen, 'sign')).toMatch(/Reject[^]*Read and sign/);
    const { top, selected } = await firstPage(screen);
    expect(selected).toContain('The rent is ten thousand rupees');
    expect(top).toBeLessThan(size.height * 0.75);
    expect(await overflow(screen.page)).toBe(0);
    // A page that grew when it is drawn would move what is below it.
    await screen.page.waitForSelector('[data-reading] canvas');
    const grown = await screen.page.$eval(
      '[data-reading] li > div',
      (sheet) => (sheet as HTMLElement).offsetHeight - parseFloat((sheet as HTMLElement).style.minHeight),
    );
    expect(grown).toBe(0);

    await screen.press('Text only');
    await screen.sees('Page 2 of 2');
    const headings = await screen.page.$$eval('[data-reading] article', (pages) =>
      pages.map((each) => [each.querySelector('h3')?.textContent, each.querySelector('p')?.innerText]),
    );
    expect(headings).toEqual([
      ['Page 1 of 2', 'The rent is ten thousand rupees'],
      ['Page 2 of 2', 'The second page says more'],
    ]);
    await screen.press('Text only');
    // One tap leads to the verification, another to the rejection.
    await screen.press('Read and sign');
    await screen.sees('Document Verification Required');
    await screen.press('Cancel');
    await screen.press('Reject');
    await screen.sees('Reject this agreement');
    await screen.press('Cancel');
  },
);

it.each(SIZES)(
  'at %s the bar leads the creator from the other party over the approvals to the seal',
  async (_, size) => {
    const { screen, person } = owner;
    const id = await create(`Lease led at ${size.width}`);
    await screen.page.setViewport(size);
    await screen.goto(`/document/${id}`);
    expect(await bar(screen, 'addParty')).toContain('Add the other party');
    await screen.press('Add the other party');
    await screen.sees('Add user by ID');
    await screen.page.keyboard.press('Escape');

    await guest.person.send('/documents/join', {
      document_code: await codeOf(person, id),
      ...(await verification(2)),
    });
    await screen.page.reload();
    expect(await bar(screen, 'admit')).toContain(`Admit ${guest.person.name}`);
    await screen.press(`Admit ${guest.person.name}`);
    await screen.press(`Approve & Admit ${guest.person.name}`);
    await screen.sees(`Waiting for ${guest.person.name} to read and approve`);
    await screen.page.keyboard.press('Escape');
    expect(await bar(screen, 'approve')).toContain('Read and approve');
    await screen.press('Read and approve');
    expect(await bar(screen, 'wait')).toContain(`Waiting for ${guest.person.name}`);

    await guest.screen.page.setViewport(size);
    await guest.screen.goto(`/document/${id}`);
    expect(await bar(guest.screen, 'approve')).toContain('Read and approve');
    await guest.screen.press('Read and approve');
    expect(await bar(guest.screen, 'wait')).toContain(`Waiting for ${person.name} to seal`);
    await screen.page.reload();
    expect(await bar(screen, 'seal')).toContain('Seal');
    await screen.press('Seal');
    await screen.sees('Once finalized, you will not be able to edit this document anymore. Continue?');
    await screen.press('Continue');
    // The creator owes the price; the other party can download, share and verify the PDF.
    expect(await bar(screen, 'pay')).toContain('Pay ₹7');
    await guest.screen.page.reload();
    // The buttons load after the bar.
    await guest.screen.page.waitForSelector('[data-next=keep] button');
    expect(await bar(guest.screen, 'keep')).toMatch(/Verify[^]*Share[^]*Download/);
  },
);

it.each(SIZES)(
  'a rejected document at %s offers the creator to invite again or remove the party, but no approval, seal or payment',
  async (_, size) => {
    const id = await create(`Lease refused at ${size.width}`);
    await invite(id, guest);
    await guest.person.send(`/documents/${id}/respond-agreement`, { response: 'reject', reason: 'Too dear' });
    const { screen } = owner;
    await screen.page.setViewport(size);
    await screen.goto(`/document/${id}`);
    expect(await bar(screen, 'settle')).toContain('Invite again or remove');
    await screen.sees('Too dear');
    await screen.sees('Rejected: “Too dear”');
    await screen.settled();
    const offered = await screen.page.$$eval('main button, main a', (all) =>
      all.map((each) => each.textContent?.trim()),
    );
    for (const button of [
      'Approve Document',
      'Verify & Approve Yourself',
      'Finalize Document',
      'Pay from Wallet',
    ])
      expect(offered).not.toContain(button);
    expect(offered).toContain('Manage Users');
    await guest.screen.page.setViewport(size);
    await guest.screen.goto(`/document/${id}`);
    expect(await bar(guest.screen, 'wait')).toContain('Waiting for Asha Rao');
    await guest.screen.sees('Too dear');

    await screen.press('Correct and send again');
    await screen.sees(
      'A draft with the same files and details is ready. The rejected document stays as it is.',
    );
    await screen.isAt(/^\/document\/create$/);
    await screen.sees('lease.pdf');
    const draft = new URL(screen.page.url()).searchParams.get('draft') ?? '';
    const { body } = await owner.person.call('GET', `/documents/${draft}`);
    expect(body).toMatchObject({
      name: `Lease refused at ${size.width}`,
      start_date: '2026-12-01',
      end_date: '2026-12-07',
      target_user_char_id: guest.person.charId,
      status: 'draft',
      raw_files: [{ name: 'lease.pdf' }],
    });
  },
);

it('the bar tells the creator when the others were last reminded', async () => {
  const id = await create('Lease with a reminder');
  await invite(id, guest);
  await owner.person.call('PUT', `/documents/${id}/approve/${owner.person.userId}`);
  await owner.person.call('POST', `/documents/${id}/remind/${guest.person.userId}`);
  await owner.screen.goto(`/document/${id}`);
  await owner.screen.sees('Last reminder: today.');
  expect(await bar(owner.screen, 'wait')).toMatch(/Waiting for Vikram Shah[^]*Last reminder: today\./);
});

it.each(SIZES)(
  'at %s Manage Users and Manage Payments open two tabs of one dialog, and the page does not scroll',
  async (_, size) => {
    const id = await create(`Lease managed at ${size.width}`);
    const { screen } = owner;
    await screen.page.setViewport(size);
    await screen.goto(`/document/${id}`);
    await firstPage(screen);
    for (const [button, tab] of [
      ['Manage Payments', 'Payments'],
      ['Manage Users', 'Users'],
    ] as const) {
      const place = await screen.page.waitForSelector(`::-p-aria(${button}[role="button"])`);
      await place?.evaluate((element) => element.scrollIntoView({ block: 'end', behavior: 'instant' }));
      await screen.page.evaluate(() => window.scrollBy({ top: 120, behavior: 'instant' }));
      const before = await screen.page.evaluate(() => window.scrollY);
      expect(before).toBeGreaterThan(0);
      // A press would scroll.
      await place?.evaluate((element) => (element as HTMLElement).click());
      await screen.page.waitForFunction(
        (wanted: string) =>
          document.querySelector('[role=dialog] [role=tab][aria-selected=true]')?.textContent === wanted,
        {},
        tab,
      );
      expect(await moved(screen, before)).toBeLessThanOrEqual(1);
      await screen.page.keyboard.press('Escape');
      await screen.page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
      expect(await moved(screen, before)).toBeLessThanOrEqual(1);
    }
  },
);

it.each(SIZES)('is translated to Hindi at %s', async (_, size) => {
  const id = await create(`Lease in Hindi at ${size.width}`);
  await agree(owner.person, guest.person, id);
  const { screen } = guest;
  await screen.page.setViewport(size);
  await guest.person.send('/users/profile', { language: 'hi' }, { method: 'PUT' });
  await screen.goto(`/document/${id}`);
  await screen.sees('सिर्फ़ पाठ');
  expect(await bar(screen, 'wait')).toContain('सील');
  await guest.person.send('/users/profile', { language: 'en' }, { method: 'PUT' });
});

it.each(SIZES)(
  'at %s a file that cannot be shown has an error in its place, and the rest of the page works',
  async (_, size) => {
    const id = await create(`Lease unreadable at ${size.width}`);
    const { screen } = owner;
    await screen.page.setViewport(size);
    const restore = await failing(screen.page, {
      'GET ^/api/files/documents/': { status: 200, contentType: 'application/pdf', body: 'not a PDF' },
    });
    try {
      await screen.goto(`/document/${id}`);
      await screen.sees('lease.pdf could not be loaded');
      expect(await bar(screen, 'addParty')).toContain('Add the other party');
    } finally {
      await restore();
    }
  },
);

it('the creator copies the join link and stays on the page', async () => {
  const id = await create('Lease with a link');
  const { screen } = owner;
  await screen.page.setViewport(PHONE);
  await screen.goto(`/document/${id}`);
  await screen.page.bringToFront();
  await screen.page
    .browserContext()
    .overridePermissions(url, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
  await screen.press('Join link for others', 'link');
  await screen.sees('Join link copied');
  const { body } = await owner.person.call('GET', `/documents/${id}`);
  expect(await screen.page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${url}/join-document?code=${String(body['document_code'])}`,
  );
  expect(new URL(screen.page.url()).pathname).toBe(`/document/${id}`);
});

it.each([
  ['an invited person', 'invited'],
  ['the creator of a sealed document', 'sealed'],
] as const)('on the first load on a slow phone the page of %s moves by at most 0.1', async (_, state) => {
  const id = await create(`Lease that stays in place, ${state}`);
  await invite(id, guest);
  if (state === 'sealed') {
    await agree(owner.person, guest.person, id);
    await finalize(owner.person, id);
  }
  const { person } = state === 'sealed' ? owner : guest;
  const screen = await openScreen(one.browser, url, PHONE, { storage: { token: person.token } });
  try {
    await screen.page.evaluateOnNewDocument(collectShifts);
    await screen.page.emulateNetworkConditions({ upload: 90_000, download: 200_000, latency: 150 });
    await screen.goto(`/document/${id}`);
    await screen.page.waitForSelector('main canvas', { timeout: 90_000 });
    await screen.page.waitForSelector('main ol, main ul', { timeout: 60_000 });
    await screen.sees('History');
    await screen.settled();
    const shifts = await screen.page.evaluate(() => Reflect.get(window, 'shifts') as Shift[]); // by collectShifts
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(total <= 0.1 ? [] : [total, shifts]).toEqual([]);
  } finally {
    await screen.close();
  }
});
