/** The signed-in layout on a phone: bars cover no content, and the page does not jump. */
import { jest } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { identityWorld } from '../src/identity-world.ts';
import { heading, PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';

jest.setTimeout(90_000);

const here = await identityWorld();
const [asha, vikram] = await Promise.all([
  newPerson(here.world.url, 'Asha Deshpande'),
  newPerson(here.world.url, 'Vikram Kulkarni'),
]);

const box = (page: Page, selector: string) =>
  page.$eval(selector, (element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return { top, bottom, height };
  });

it('the header is at most 60 px high, and the bar at the bottom navigates', async () => {
  await withScreen(here.world, { path: '/dashboard', as: asha, viewport: PHONE }, async (screen) => {
    const { page } = screen;
    await heading(page, 'Dashboard');
    await screen.sees('Welcome, Asha Deshpande');
    expect((await box(page, 'header')).height).toBeLessThanOrEqual(60);
    const bar = 'nav[aria-label="Quick navigation"]';
    expect((await box(page, bar)).bottom).toBe(PHONE.height);
    await page.click(`${bar} a[href="/wallet"]`);
    await heading(page, 'Wallet');
    expect(await page.$eval(`${bar} a[aria-current=page]`, (link) => link.textContent)).toBe('Wallet');
    // In a chat the message field is at the bottom.
    await screen.goto(`/chat/${vikram.userId}`);
    await heading(page, vikram.name);
    await screen.settled();
    expect(await page.$(bar)).toBeNull();
  });
});

it('a chat fits the window, and the offline banner does not cover the message field', async () => {
  for (let line = 1; line <= 20; line += 1)
    await vikram.call('POST', '/messaging/send', { receiver_id: asha.userId, content: `Line ${line}` });
  await withScreen(
    here.world,
    { path: `/chat/${vikram.userId}`, as: asha, viewport: PHONE },
    async (screen) => {
      const { page } = screen;
      await heading(page, vikram.name);
      await screen.sees('Line 20');
      const beyond = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
      expect(await beyond()).toBe(0);
      await page.setOfflineMode(true);
      await screen.sees('You are offline.');
      await screen.sees('Messages you write are sent when you are back online');
      const field = await box(page, 'main textarea');
      const banner = await page.$eval(
        '[role=status] [data-tone=waiting]',
        (each) => each.getBoundingClientRect().top,
      );
      expect(field.bottom).toBeLessThanOrEqual(banner);
      expect(await beyond()).toBe(0);
      await page.setOfflineMode(false);
    },
  );
});

it('a toast is below the header', async () => {
  await withScreen(here.world, { path: '/profile', as: asha, viewport: PHONE }, async (screen) => {
    const { page } = screen;
    await heading(page, 'Profile');
    await screen.press('Refresh');
    await screen.sees('Profile refreshed successfully!');
    const toast = await box(page, '[role=alert]');
    expect(toast.top).toBeGreaterThanOrEqual((await box(page, 'header')).bottom);
  });
});

it('a filter in the address does not scroll the page', async () => {
  await withScreen(here.world, { path: '/wallet', as: asha, viewport: PHONE }, async (screen) => {
    const { page } = screen;
    await heading(page, 'Wallet');
    await screen.sees('Transaction history');
    const at = () => page.evaluate(() => Math.round(window.scrollY));
    await page.evaluate(() => window.scrollTo({ top: 200, behavior: 'instant' }));
    await screen.until('the page is scrolled', () => Math.round(window.scrollY) === 200);
    await page.evaluate(() => {
      const choices = [...document.querySelectorAll<HTMLElement>('label, [role=radio]')];
      choices.find((each) => each.textContent?.trim() === 'Money in')?.click();
    });
    await screen.until('the address says so', () => location.search.includes('show='));
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await at()).toBe(200);
  });
});
