/** The pages for visitors without an account: welcome, public pages in their language, and the check of a file. */
import { writeFile } from 'node:fs/promises';
import { textPdf } from '@karaar/testing/made-up/files';
import { jest } from '@jest/globals';
import { identityWorld } from '../src/identity-world.ts';
import { DESKTOP, heading, PHONE, withScreen } from '../src/browser/opened.ts';
import { adminScreen, newAdmin } from '../src/admins.ts';
import { callerOf, newPerson } from '../src/person.ts';

jest.setTimeout(90_000);

const here = await identityWorld();

it.each([PHONE, DESKTOP])('a visitor reads about Karaar and continues from there, %o', async (viewport) => {
  await withScreen(here.world, { path: '/welcome', viewport }, async (screen) => {
    const { page } = screen;
    await heading(page, 'Agreements you can prove');
    for (const part of ['How it works', 'What it costs', 'What the law says']) await screen.sees(part);
    await screen.sees('For example: at ₹1.00 a day, 335 days cost ₹335.00.');
    await screen.sees(/not an Aadhaar eSign/);
    const sample = await page.$eval('::-p-aria(See a sample of a final PDF[role="link"])', (link) =>
      link.getAttribute('href'),
    );
    const file = await fetch(new URL(sample ?? '', page.url()));
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(Buffer.from(await file.arrayBuffer()).subarray(0, 5)).toEqual(Buffer.from('%PDF-'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    for (const [link, title] of [
      ['About Us', 'About Us'],
      ['Contact Support', 'Contact Support'],
      ['Terms & Conditions', 'Terms & Conditions'],
      ['Privacy Policy', 'Privacy Policy'],
      ['Help', 'Help'],
    ] as const) {
      await screen.press(link, 'link');
      await heading(page, title);
    }
    await screen.isAt(/^\/welcome\/help$/);
    await screen.press('What is Karaar?', 'link');
    await heading(page, 'Agreements you can prove');
    await screen.press('Create an account', 'link');
    await heading(page, 'Create an account');
  });
});

it.each([PHONE, DESKTOP])(
  'an operator gives the words about the law in Hindi; the other languages keep theirs, %o',
  async (viewport) => {
    const editor = await newAdmin('editor');
    const cms = callerOf(here.world.url, editor.token);
    const { title: ours, content } = (await cms.call('GET', '/admin/cms/pages/law-hi')).body;
    const words = `हमारे शब्द ${Date.now()}`;
    const screen = await adminScreen(here.world.browser, editor, viewport);
    await screen.goto('/admin/cms/law');
    await screen.sees('A language that you have not changed shows the words that came with Karaar.');
    await screen.press('हिन्दी', 'radio');
    await screen.page.waitForSelector('main input[lang=hi]');
    const title = await screen.page.waitForSelector('main input[lang=hi]');
    await title?.evaluate((input) => input.select());
    await title?.type(words);
    await screen.press('Publish');
    await screen.sees('Publish this version?');
    await screen.page.keyboard.press('Enter');
    await screen.sees('Page published');
    await screen.close();
    for (const [language, said] of [
      ['hi', words],
      ['en', 'What the law says'],
      ['mr', 'कायदा काय सांगतो'],
    ] as const)
      await withScreen(here.world, { path: '/welcome', storage: { language }, viewport }, (reader) =>
        reader.sees(said),
      );
    await cms.call('PUT', '/cms/pages/law-hi', { title: ours, content });
  },
);

it('the sign-in page links there, with its brand and its links', async () => {
  await withScreen(here.world, { path: '/login', viewport: PHONE }, async (screen) => {
    await heading(screen.page, 'Sign in');
    await screen.press('What is Karaar?', 'link');
    await screen.isAt(/^\/welcome$/);
    await screen.press('Sign in', 'link');
    await heading(screen.page, 'Sign in');
    await screen.press('Karaar', 'link');
    await screen.isAt(/^\/welcome$/);
  });
});

it('the privacy policy is in the visitor’s language', async () => {
  const storage = { language: 'hi' };
  await withScreen(here.world, { path: '/welcome/privacy', storage, viewport: PHONE }, async (screen) => {
    await heading(screen.page, 'गोपनीयता नीति');
    await screen.sees('हम क्या रखते हैं');
    expect(await screen.page.$eval('article', (article) => article.lang)).toBe('hi');
  });
  // The page for signed-in users requires an account.
  await withScreen(here.world, { path: '/privacy', storage }, (screen) => screen.isAt(/^\/login$/));
});

it('a signed-in user continues to the dashboard', async () => {
  const person = await newPerson(here.world.url, 'Asha Rao');
  await withScreen(here.world, { path: '/welcome', as: person }, async (screen) => {
    await heading(screen.page, 'Agreements you can prove');
    await screen.press('Go to your dashboard', 'link');
    await heading(screen.page, 'Dashboard');
  });
});

it('a code without a sealed document leads to its field, which names a missing code', async () => {
  await withScreen(here.world, { path: '/verify/ABCDEFGH', viewport: PHONE }, async (screen) => {
    await screen.sees('No sealed document has this code.');
    expect(await screen.page.$('aria/Try again[role="button"]')).toBeNull();
    await screen.fill('Document code', ' ');
    await screen.press('Look up');
    await screen.says('Please enter a document code');
    await screen.until('the field is marked and has the focus', () =>
      Boolean(document.activeElement?.matches('main form input[aria-invalid=true]')),
    );
  });
});

it('an ordinary PDF is reported as unsealed, not as a forgery', async () => {
  const plain = `${here.idCard}.plain.pdf`;
  await writeFile(plain, await textPdf('An electricity bill'));
  await withScreen(here.world, { path: '/verify', viewport: PHONE }, async (screen) => {
    await heading(screen.page, 'Verify a document');
    await screen.upload('input[type=file]', [plain]);
    await screen.sees('This file has no Karaar seal');
    const text = await screen.page.evaluate(() => document.body.innerText);
    expect(text).not.toContain('Do not rely on this file');
    expect(text).not.toContain('Not valid');
  });
});
