/** Browsers that translate pages, that are older, and that have no storage. */
import { jest } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { heading, PHONE, withScreen } from '../src/browser/opened.ts';
import { say, seesBubble, threadOf } from '../src/chat.ts';
import { identityWorld } from '../src/identity-world.ts';
import { agree, createDocument } from '../src/journey.ts';
import { newPerson } from '../src/person.ts';
import { collectData, untranslatedTexts } from '../src/untranslated.ts';

jest.setTimeout(120_000);

const here = await identityWorld();
const owner = await newPerson(here.world.url, 'Asha Rao');
const guest = await newPerson(here.world.url, 'Vikram Shah');
const documentId = await createDocument(owner);
// A document in a second state adds a filter.
await agree(owner, guest, await createDocument(owner));

/** Runs in the page: replaces all texts by <font> elements, now and after each change, as Chrome's translation does. */
function translate(): void {
  const put = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const text of found) {
      const isHere =
        text.textContent?.trim() && !text.parentElement?.closest('font, script, style, [translate=no]');
      if (!isHere) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = text.textContent;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  put();
  new MutationObserver(put).observe(document.body, { subtree: true, childList: true });
}

/** The screens of a user. */
const SCREENS = [
  ...['/dashboard', '/document/create', '/document/create?step=people', '/document/create?step=terms'],
  ...['/document/join', '/wallet', '/chat', '/profile', '/pricing', '/verify', '/camera', '/notifications'],
  ...[`/document/${documentId}`, `/document/${documentId}/payment`, threadOf(owner, guest).path],
];

const isShown = async (page: Page) =>
  expect(await page.evaluate(() => document.body.innerText)).not.toContain('could not be shown');

describe('a page that the browser translates', () => {
  it('keeps the list while its filters are pressed', async () => {
    await withScreen(here.world, { path: '/dashboard', as: owner, viewport: PHONE }, async (screen) => {
      await screen.settled();
      await screen.page.evaluate(translate);
      const chips = await screen.page.$$('main [role=group] button[aria-pressed]');
      expect(chips.length).toBeGreaterThan(1);
      for (const chip of [...chips, ...chips]) {
        await chip.evaluate((button) => (button as HTMLElement).click());
        await screen.settled();
        await isShown(screen.page);
      }
      await heading(screen.page, 'Dashboard');
    });
  });

  it('shows a sent message', async () => {
    await withScreen(here.world, threadOf(owner, guest, { viewport: PHONE }), async (screen) => {
      await screen.settled();
      await screen.page.evaluate(translate);
      for (const text of ['The first message', 'The second message']) {
        await screen.page.type('main textarea', text);
        await screen.page.keyboard.press('Enter');
        await seesBubble(screen.page, text);
      }
      await isShown(screen.page);
    });
  });
});

describe('a page that the browser translates, on each screen', () => {
  it('shows its texts in a newly chosen language', async () => {
    await withScreen(here.world, { path: '/terms', as: owner }, async ({ page, goto, settled }) => {
      const data = collectData(page);
      const choose = async (language: string) => {
        await page.select('select:has(option[value=hi])', language);
        await page.waitForFunction(
          (wanted: string) => document.documentElement.lang === wanted,
          {},
          language,
        );
        await settled();
      };
      for (const path of SCREENS) {
        await goto(path);
        await settled();
        await page.evaluate(translate);
        await choose('hi');
        expect([path, await untranslatedTexts(page, data)]).toEqual([path, []]);
        await choose('en');
      }
    });
  });
});

describe('a browser of two years ago, and Safari', () => {
  /** Runs in the page before the app: removes features that Chrome 118 or Safari lacks. */
  function lack(): void {
    const remove = (holder: object, ...names: string[]) =>
      names.forEach((name) => Reflect.deleteProperty(holder, name));
    remove(Promise, 'try', 'withResolvers');
    remove(URL, 'parse');
    remove(Uint8Array, 'fromBase64', 'fromHex');
    remove(Uint8Array.prototype, 'toBase64', 'toHex', 'setFromBase64', 'setFromHex');
    remove(Map.prototype, 'getOrInsert', 'getOrInsertComputed');
    remove(Set.prototype, 'union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf');
    const iterator: unknown = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
    remove(
      iterator as object,
      'map',
      'filter',
      'take',
      'drop',
      'flatMap',
      'reduce',
      'toArray',
      'some',
      'every',
    );
    remove(Array, 'fromAsync');
    remove(RegExp, 'escape');
    remove(globalThis, 'Iterator', 'Float16Array', 'requestIdleCallback', 'cancelIdleCallback', 'scheduler');
    remove(
      globalThis,
      'navigation',
      'CloseWatcher',
      'cookieStore',
      'ImageCapture',
      'MediaStreamTrackProcessor',
    );
    remove(Document.prototype, 'startViewTransition');
    remove(Element.prototype, 'moveBefore', 'setHTML');
    remove(
      Navigator.prototype,
      'userAgentData',
      'connection',
      'deviceMemory',
      'setAppBadge',
      'clearAppBadge',
    );
  }

  it('show every screen without an error, and links in messages', async () => {
    await say(guest, owner, 'See https://karaar.example.org/rent');
    const faults: string[] = [];
    await withScreen(
      here.world,
      { path: '/terms', as: owner, worker: true },
      async ({ page, goto, settled }) => {
        page.on('pageerror', (error) => faults.push(`${page.url()}: ${String(error)}`));
        await page.evaluateOnNewDocument(lack);
        for (const path of ['/welcome', ...SCREENS]) {
          await goto(path);
          await page.waitForSelector('main h1');
          await settled();
          const text = await page.evaluate(() => document.body.innerText);
          if (/could not be (shown|loaded)/.test(text)) faults.push(`${path}: ${text}`);
        }
        await page.waitForSelector('a[href="https://karaar.example.org/rent"]');
        await goto(`/document/${documentId}`);
        await page.waitForSelector('main canvas');
        await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length > 0);
      },
    );
    expect(faults).toEqual([]);
  });
});

describe('a browser whose PDF renderer fails', () => {
  it('shows the rest of the document page, and offers the file', async () => {
    await withScreen(here.world, { path: '/terms', as: owner }, async (screen) => {
      await screen.page.evaluateOnNewDocument(() => {
        // The renderer calls a missing function and fails.
        Object.defineProperty(globalThis, 'Worker', { value: undefined });
      });
      await screen.goto(`/document/${documentId}`);
      await screen.sees(/could not be loaded/);
      await isShown(screen.page);
      const link = await screen.page.waitForSelector('a[aria-label^="Open in a new tab: "]');
      expect(await link?.evaluate((element) => element.getAttribute('href'))).toContain('/api/');
      await screen.sees('Verify & Approve Yourself');
    });
  });
});

describe('a browser without storage', () => {
  it('says that a full device can be the cause', async () => {
    await withScreen(here.world, { path: '/terms', viewport: PHONE }, async (screen) => {
      await screen.page.evaluateOnNewDocument(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        };
      });
      await screen.goto('/login');
      await screen.sees(/or free some space on this device/);
    });
  });

  it('shows public pages, and explains the limits', async () => {
    await withScreen(here.world, { path: '/terms', viewport: PHONE }, async (screen) => {
      await screen.page.evaluateOnNewDocument(() => {
        for (const name of ['localStorage', 'sessionStorage'])
          Object.defineProperty(globalThis, name, {
            configurable: true,
            get: () => {
              throw new DOMException('Access is denied for this document.', 'SecurityError');
            },
          });
      });
      for (const [path, title] of [
        ['/welcome', 'Agreements you can prove'],
        ['/login', 'Sign in'],
      ] as const) {
        await screen.goto(path);
        await heading(screen.page, title);
        await screen.sees(/This browser stores nothing for Karaar/);
      }
      await screen.press('Understood');
      await screen.gone(/This browser stores nothing/);
    });
  });
});
