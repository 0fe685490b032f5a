/** A form while it becomes a draft, and a draft in two windows. */
import { jest } from '@jest/globals';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { textPdf } from '@karaar/testing/made-up/files';
import { overflow } from '../screens/camera.ts';
import { inDatabase } from '../src/database.ts';
import { startSending } from '../src/sending.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openScreen } from '../src/browser/screen.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { browser } = await openBrowser();
const sending = await startSending({ 'lease.pdf': await textPdf('Lease of a shop') });
const owner = await signedIn(browser, sharedProduct.url, 'Asha Rao', WIDE);

// A press can come between any two renders of React.
it.each([
  ['as the server answers with the draft', 'answer'],
  ['once the draft is in the address and not drawn yet', 'address'],
])('a step that is pressed %s is shown, and the form keeps its content', async (_, moment) => {
  const { screen } = owner;
  const { page } = screen;
  await screen.goto('/robots.txt');
  await page.evaluate(() => sessionStorage.clear());
  const pressing = await page.evaluateOnNewDocument((when: string) => {
    const press = () => {
      const buttons = [...document.querySelectorAll('button')];
      buttons.find((each) => each.textContent.trim().endsWith('People'))?.click();
      document.body.dataset['pressed'] = 'yes';
    };
    const replace = history.replaceState.bind(history);
    const ask = fetch;
    window.fetch = async (input, init) => {
      const answer = await ask(input, init);
      if (when === 'answer' && /\/documents\/[0-9a-f-]{36}$/.test(answer.url)) press();
      return answer;
    };
    history.replaceState = (data, unused, to) => {
      replace(data, unused, to);
      if (when === 'address' && String(to).includes('draft=')) queueMicrotask(press);
    };
  }, moment);
  await screen.goto('/document/create');
  await screen.fill('Document name', 'Rent of the shop');
  await screen.until('the step was pressed', () => document.body.dataset['pressed'] === 'yes');
  await screen.sees('User ID of the other party');
  await screen.until(
    'the draft in the address',
    () => location.search.includes('draft=') && location.search.includes('step=people'),
  );
  await screen.press('Document');
  const name = await page.waitForSelector('input[name=name]');
  expect(await name?.evaluate((field) => (field as HTMLInputElement).value)).toBe('Rent of the shop');
  await page.removeScriptToEvaluateOnNewDocument(pressing.identifier);
});

it.each([
  [390, PHONE],
  [1440, WIDE],
])('a draft that is open in two windows keeps the first change, at %i px', async (_, viewport) => {
  const open = async (path: string) => {
    const screen = await openScreen(browser, sharedProduct.url, viewport, {
      storage: { token: owner.person.token },
    });
    await screen.goto(path);
    return screen;
  };
  const one = await open('/document/create');
  await one.fill('Document name', 'Lease of the shop');
  await one.sees('Saved as a draft');
  const draft = new URL(one.page.url());
  const two = await open(`${draft.pathname}${draft.search}`);
  await two.sees('Document Details');
  await one.fill('Document name', 'Lease of the shop, second floor');
  await one.sees('Saving …');
  await one.sees('Saved as a draft');
  await two.fill('Document name', 'Lease of the house');
  await two.sees('Changed in another window or on another device. Your last changes here are not saved.');
  expect(await overflow(two.page)).toBe(0);
  await two.press('Load the saved draft');
  await two.until(
    'the change of the other window',
    () =>
      document.querySelector<HTMLInputElement>('input[name=name]')?.value ===
      'Lease of the shop, second floor',
  );
  await two.fill('Document name', 'Lease of the house');
  await two.sees('Saved as a draft');
  await Promise.all([one.close(), two.close()]);
});

it('a draft whose first save was never answered does not stay behind once the agreement is sent', async () => {
  const { onDesktop: writer, onPhone: guest } = sending;
  const { screen, person } = writer;
  await screen.page.evaluateOnNewDocument(() => {
    const { prototype } = XMLHttpRequest;
    const [ask, { open }] = [fetch, prototype];
    let isSent = false;
    // The form with its pictures; drafts are sent by `fetch`.
    prototype.open = function (...args: unknown[]) {
      isSent ||= String(args[1]).endsWith('/documents/create');
      Reflect.apply(open, this, args);
    };
    window.fetch = async (input, init) => {
      const answer = await ask(input, init);
      if (isSent || !answer.url.endsWith('/documents/create')) return answer;
      document.documentElement.dataset['lost'] = 'yes';
      throw new TypeError('The answer is lost');
    };
  });
  await sending.begin(writer, guest, 'Lease of the shop');
  await screen.until('a save without an answer', () => document.documentElement.dataset['lost'] === 'yes');
  await sending.choose(screen, 'lease.pdf');
  await screen.sees('1 page, ready');
  await sending.create(screen);
  const statement = 'SELECT status FROM documents WHERE primary_user = $1';
  expect(await inDatabase(sharedProduct.postgresUrl, 'documents', statement, [person.userId])).toEqual([
    { status: expect.not.stringMatching('draft') as string },
  ]);
});
