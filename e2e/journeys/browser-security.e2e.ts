/** The content security policy in a browser, and files that were changed in transit. */
import { jest } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { withScreen, type Interference } from '../src/browser/opened.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const world = await openBrowser();

/** Attempts to run code, each in a task of the page, because the policy does not restrict the debugger. */
const attempts: Record<string, () => unknown> = {
  'a text that is evaluated': () => setTimeout(() => (0, eval)('window.ran = true')),
  'a function made of a text': () => setTimeout(() => new Function('window.ran = true')()),
  'markup with a handler': () =>
    setTimeout(() => (document.body.innerHTML = '<img src="data:," onerror="window.ran = true">')),
  'markup beside an element': () =>
    setTimeout(() =>
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true">'),
    ),
  'a script of a text': () =>
    setTimeout(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.head.append(script);
    }),
  'a script from a data address': () =>
    setTimeout(() => {
      const script = document.createElement('script');
      script.src = 'data:text/javascript,window.ran=true';
      document.head.append(script);
    }),
  'a handler in an attribute': () =>
    setTimeout(() => {
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.ran = true');
      document.body.append(button);
      button.click();
    }),
  'a worker of a text': () => setTimeout(() => new Worker('data:text/javascript,postMessage(1)')),
  'a further policy for script addresses': () =>
    setTimeout(() => window.trustedTypes?.createPolicy('mine', { createScriptURL: (url: string) => url })),
};

declare global {
  interface Window {
    reports: string[];
    ran?: boolean;
    trustedTypes?: { createPolicy: (name: string, rules: object) => unknown };
  }
}
const collectReports = (): void => {
  window.reports = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.reports.push(`${event.effectiveDirective} ${event.blockedURI}`);
  });
};

it('[AUTH-067] runs no injected code, and reports each attempt', async () => {
  await withScreen(world, { path: '/login' }, async ({ page, sees }) => {
    await sees('Sign in');
    await page.evaluate(collectReports);
    for (const [what, attempt] of Object.entries(attempts)) {
      await page.evaluate(attempt as () => void);
      const { ran, reports } = await page.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { ran: window.ran === true, reports: window.reports.splice(0) };
      });
      expect([what, ran, reports.length > 0]).toEqual([what, false, true]);
    }
  });
});

it('cannot be framed by another site', async () => {
  const page = await world.browser.newPage();
  await page.setContent(`<iframe src="${sharedProduct.url}/login"></iframe>`);
  const frame = await page.waitForFrame((each) => each !== page.mainFrame());
  // The browser shows its own error page instead.
  await frame.waitForFunction(() => location.href === 'chrome-error://chromewebdata/');
  await page.close();
});

/** Answers requests for matching files with another script until `stop` is called. */
function tamper(fits: RegExp): { interfere: Interference; stop: () => void } {
  let on = true;
  return {
    interfere: (request) =>
      on && fits.test(new URL(request.url()).pathname)
        ? { status: 200, contentType: 'text/javascript', body: 'document.title = "taken over";' }
        : undefined,
    stop: () => (on = false),
  };
}

/** Returns true if the page shows a text within 3 s. */
const shows = (page: Page, text: string): Promise<boolean> =>
  page
    .waitForFunction((wanted: string) => document.body?.innerText.includes(wanted), { timeout: 3_000 }, text)
    .then(
      () => true,
      () => false,
    );

it.each([
  [
    'entry of a remote',
    /^\/mfe\/user\/remoteEntry\.[0-9a-f]+\.js$/,
    'This part of Karaar could not be loaded',
  ],
  ['chunk of a remote', /^\/mfe\/user\/\d+\.[0-9a-f]+\.js$/, 'could not be'],
  ['script of the page', /^\/main\.[0-9a-f]+\.js$/, 'Karaar could not be loaded'],
])(
  'a changed %s does not run; the page shows an error, and continues once the file is correct',
  async (_what, fits, says) => {
    const { interfere, stop } = tamper(fits);
    await withScreen(world, { path: '/login', interfere }, async ({ page, sees, press }) => {
      await sees(says);
      expect(await page.title()).not.toBe('taken over');
      stop();
      // Each press discards one of the changed files that the page loaded early.
      for (let i = 0; i < 3 && !(await shows(page, 'Send OTP')); i += 1) await press('Try again');
      await sees('Send OTP');
    });
  },
);
