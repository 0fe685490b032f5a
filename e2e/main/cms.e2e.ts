/** Static pages: an editor writes, publishes and restores; readers see the published version. */
import { jest } from '@jest/globals';
import { asks } from '../src/admins.ts';
import { heading, PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const { url } = sharedProduct;

type Page = { title: string; content: string; version: number; etag: string };

async function asEditor<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const world = await openBrowser();
const reader = await newPerson(url, 'Meera Nair');
const login = await fetch(`${url}/api/admin/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'admin', password: 'karaar-admin' }),
});
const token = ((await login.json()) as { token: string }).token;

const inEditor = (slug: string, look: (screen: Screen) => Promise<void>, viewport?: typeof PHONE) =>
  withScreen(
    world,
    { path: `/admin/cms/${slug}`, storage: { admin_token: token }, ...(viewport ? { viewport } : {}) },
    look,
  );
const field = (screen: Screen) => screen.page.waitForSelector('main textarea');
/** Confirms the dialog, whose only field has the focus. */
async function publish(screen: Screen, note = ''): Promise<void> {
  await screen.press('Publish');
  const shown = 'input[data-autofocus]:focus';
  await (await screen.page.waitForSelector(shown))?.type(note);
  await screen.page.keyboard.press('Enter');
}
const valueOf = (screen: Screen) => screen.page.$eval('main textarea', (area) => area.value);

it('[CMS-001] [CMS-012] [CMS-013] [CMS-014] readers see the text that an editor published, and an earlier version can be restored', async () => {
  const before = await asEditor<Page>('GET', '/admin/cms/pages/contact');
  const words = `Call us on day ${Date.now()}`;
  await inEditor('contact', async (screen) => {
    const { page } = screen;
    await heading(page, 'Contact Support');
    const area = await field(screen);
    expect(await valueOf(screen)).toBe(before.content);
    expect(await page.$eval('main input', (input) => input.value)).toBe(before.title);

    await area?.focus();
    await page.keyboard.down('Control');
    await page.keyboard.press('End');
    await page.keyboard.up('Control');
    await page.keyboard.type(`\n\n${words}`);
    await page.evaluate((length: number) => {
      const area = document.querySelector('main textarea') as HTMLTextAreaElement;
      area.setSelectionRange(area.value.length - length, area.value.length);
    }, words.length);
    await page.keyboard.down('Control');
    await page.keyboard.press('b');
    await page.keyboard.up('Control');
    expect(await valueOf(screen)).toContain(`**${words}**`);
    await page.waitForFunction(
      (text: string) =>
        [...document.querySelectorAll('article strong')].some((each) => each.textContent === text),
      {},
      words,
    );
    await screen.sees('Draft saved');
    await page.reload();
    await heading(page, 'Contact Support');
    await field(screen);
    expect(await valueOf(screen)).toContain(`**${words}**`);

    await withScreen(world, { path: '/contact', as: reader }, async (other) => {
      await heading(other.page, before.title);
      expect(await other.page.$eval('article', (article) => article.textContent)).not.toContain(words);
    });

    const saving = asks(page, 'PUT', /\/api\/cms\/pages\/contact$/);
    await publish(screen, 'Our hours');
    await screen.sees('Our hours');
    const saved = await saving;
    expect(saved.headers()['authorization']).toBe(`Bearer ${token}`);
    expect(JSON.parse(saved.postData() ?? '{}')).toMatchObject({
      title: before.title,
      content: expect.stringContaining(words),
    });
    await withScreen(world, { path: '/contact', as: reader }, async (other) => {
      await heading(other.page, before.title);
      await other.page.waitForFunction(
        (text: string) =>
          [...document.querySelectorAll('article strong')].some((each) => each.textContent === text),
        {},
        words,
      );
    });

    await screen.press(`Compare version ${before.version}`);
    await page.waitForFunction(
      (text: string) =>
        [...document.querySelectorAll('ins')].some((each) => each.textContent?.includes(text)),
      {},
      words,
    );
    await screen.press('Take into the editor');
    await page.waitForFunction(
      (content: string) => document.querySelector('textarea')?.value === content,
      {},
      before.content,
    );
    await publish(screen);
    await screen.sees(`Version ${before.version + 2},`);
    expect((await asEditor<Page>('GET', '/admin/cms/pages/contact')).content).toBe(before.content);
  });
});

it('[CMS-017] warns the second of two editors, and keeps their text', async () => {
  const before = await asEditor<Page>('GET', '/admin/cms/pages/about');
  await inEditor(
    'about',
    async (screen) => {
      await heading(screen.page, 'About Us');
      const area = await field(screen);
      await asEditor('PUT', '/cms/pages/about', {
        title: before.title,
        content: before.content,
        note: 'First',
      });
      await area?.type('Mine. ');
      await publish(screen);
      await screen.sees('Another editor saved this page');
      expect(await valueOf(screen)).toContain('Mine. ');
      await screen.press('Load theirs');
      await screen.sees(`Version ${before.version + 1},`);
    },
    PHONE,
  );
  await asEditor('DELETE', '/admin/cms/pages/about/draft');
});
