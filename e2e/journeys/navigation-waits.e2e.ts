/** Navigation while a transition or a chunk never arrives. */
import { jest } from '@jest/globals';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { follow, heading, withScreen } from '../src/browser/opened.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(60_000);

const world = await openBrowser();

/** Waits until the previous screen is gone. @returns the milliseconds */
async function leaves(page: Page, title: string): Promise<number> {
  const start = Date.now();
  await page.waitForFunction(
    (gone: string) =>
      ![...document.querySelectorAll('main h1')].some(
        (each) => each.checkVisibility() && each.textContent === gone,
      ),
    { polling: 20, timeout: 15_000 },
    title,
  );
  return Date.now() - start;
}

it('shows the next screen although the browser paints no frame of the transition', async () => {
  await withScreen(world, { path: '/login' }, async ({ page }) => {
    await heading(page, 'Sign in');
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'no-preference' }]);
    await page.evaluate(() => {
      const never = new Promise<undefined>(() => undefined);
      document.startViewTransition = () =>
        ({ ready: never, finished: never, skipTransition: () => undefined }) as ViewTransition;
    });
    await follow(page, '/register');
    await heading(page, 'Create an account');
    await follow(page, '/login');
    await heading(page, 'Sign in');
  });
});

it('leaves the previous screen and reports a delay if a chunk does not arrive, and shows the screen once it does', async () => {
  let hold = false;
  const held: HTTPRequest[] = [];
  const interfere = (request: HTTPRequest) => {
    if (!hold || request.resourceType() !== 'script') return undefined;
    held.push(request);
    return 'never' as const;
  };
  await withScreen(world, { path: '/login', interfere }, async ({ page, gone }) => {
    await heading(page, 'Sign in');
    hold = true;
    await follow(page, '/camera');
    expect(await leaves(page, 'Sign in')).toBeLessThan(3_000);
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('[role=status]')].some((each) =>
          each.textContent?.startsWith('This is taking longer than usual.'),
        ),
      { polling: 50, timeout: 10_000 },
    );
    expect(held.length).toBeGreaterThan(0);
    hold = false;
    for (const request of held) await request.continue();
    await heading(page, 'Camera Capture');
    await gone('longer than usual');
  });
});
