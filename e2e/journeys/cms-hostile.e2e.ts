/** Hostile texts on static pages: neither the parser nor the content security policy lets them run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { xssVectors } from '@karaar/testing/made-up/xss-vectors';
import { newAdmin } from '../src/admins.ts';
import { heading, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const { url } = sharedProduct;

const { browser } = await openBrowser();

it('[CMS-015] runs no code of a page, with a hundred attack vectors', async () => {
  const slug = `hostile-${Date.now()}`;
  const editor = await newAdmin('editor');
  const created = await fetch(`${url}/api/cms/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${editor.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slug, title: '<img src=x onerror=xss()>', content: xssVectors.join('\n\n') }),
  });
  expect(created.status).toBe(201);
  const reader = await newPerson(url, 'Meera Nair');
  const hostile = await fetch(`${url}/api/cms/pages/${slug}`, {
    headers: { authorization: `Bearer ${reader.token}` },
  });
  const body = await hostile.text();
  await withScreen(
    { url, browser: browser },
    {
      path: '/privacy',
      as: reader,
      interfere: (request) =>
        new URL(request.url()).pathname === '/api/cms/pages/privacy'
          ? { status: 200, body, contentType: 'application/json' }
          : undefined,
    },
    async ({ page }) => {
      await page.evaluateOnNewDocument(() => {
        const seen = { ran: 0, refused: [] as string[] };
        Object.assign(globalThis, { seen, xss: () => (seen.ran += 1) });
        addEventListener('securitypolicyviolation', (event) => seen.refused.push(event.violatedDirective));
      });
      await page.reload();
      await heading(page, '<img src=x onerror=xss()>');
      const article = await page.waitForSelector('article');
      const found = await article?.evaluate((element) => ({
        tags: [...new Set([...element.querySelectorAll('*')].map((each) => each.localName))],
        attributes: [
          ...new Set([...element.querySelectorAll('*')].flatMap((each) => each.getAttributeNames())),
        ],
        links: [...element.querySelectorAll('a')].map((link) => link.protocol),
        text: element.textContent,
      }));
      expect(found?.text).toContain('onerror=xss()');
      const shown = [
        'h2',
        'h3',
        'h4',
        'p',
        'blockquote',
        'ul',
        'ol',
        'li',
        'pre',
        'code',
        'hr',
        'br',
        'a',
        'strong',
        'em',
        'del',
        'span',
      ];
      const tables = ['div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'];
      expect([...shown, ...tables]).toEqual(expect.arrayContaining(found?.tags ?? ['nothing']));
      expect(['href', 'rel', 'scope', 'class', 'tabindex', 'role', 'aria-label', 'start']).toEqual(
        expect.arrayContaining(found?.attributes ?? ['nothing']),
      );
      expect(new Set(found?.links)).toEqual(
        new Set(['https:', 'http:'].filter((scheme) => found?.links.includes(scheme))),
      );
      // Triggers handlers that wait for a press or a pointer.
      await article?.evaluate((element) => {
        for (const each of element.querySelectorAll('*')) {
          for (const type of ['mouseover', 'pointerenter', 'focus', 'wheel', 'toggle'])
            each.dispatchEvent(new Event(type, { bubbles: true }));
        }
        addEventListener('click', (event) => event.preventDefault(), { once: false });
        for (const link of element.querySelectorAll('a')) link.click();
      });
      expect(await page.evaluate(() => Reflect.get(globalThis, 'seen') as unknown)).toEqual({
        ran: 0,
        refused: [],
      });
    },
  );
});

/** Converts a vector as a page without the parser would: raw HTML, and links with any address. */
const unread = (vector: string): string =>
  vector.replaceAll(
    /!?\[([^\]]*)\]\(<?([^)>]*)>?\)/g,
    (_all, text: string, address: string) => `<a href="${address}">${text}</a>`,
  );

it('the vectors are real: without the parser more than fifty run in a page without a policy, and none with ours', async () => {
  const answer = await fetch(`${url}/privacy`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain('script-src');
  const frames = xssVectors.map(
    (vector, at) =>
      `<iframe name="${at}" srcdoc="${unread(vector).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
  );
  /** Returns the number of vectors that ran code. */
  const run = async (headers: Record<string, string>): Promise<number> => {
    const page = await browser.newPage();
    try {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        if (request.url() === `${url}/unread`)
          void request.respond({ contentType: 'text/html', headers, body: frames.join('') });
        else void request.respond({ status: 404, body: '' });
      });
      await page.evaluateOnNewDocument(() => {
        const hits = top as { hits?: Set<string> };
        Object.assign(globalThis, { xss: () => (hits.hits ??= new Set()).add(window.name) });
      });
      await page.goto(`${url}/unread`);
      await Promise.all(
        page.frames().map((frame) =>
          // The evaluation fails in a frame that navigated away.
          frame
            .evaluate(() => {
              for (const each of document.querySelectorAll<HTMLElement>('body *')) {
                for (const type of ['mouseover', 'pointerenter', 'wheel', 'blur', 'focus'])
                  each.dispatchEvent(new Event(type, { bubbles: true }));
                if (each instanceof HTMLAnchorElement || each instanceof HTMLButtonElement) each.click();
              }
            })
            .catch(() => undefined),
        ),
      );
      await sleep(1_000);
      return await page.evaluate(
        () => (Reflect.get(globalThis, 'hits') as Set<string> | undefined)?.size ?? 0,
      );
    } finally {
      await page.close();
    }
  };
  expect(xssVectors.length).toBeGreaterThanOrEqual(100);
  expect(await run({})).toBeGreaterThanOrEqual(50);
  expect(await run({ 'content-security-policy': policy })).toBe(0);
});
