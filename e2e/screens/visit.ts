import type { Browser, BrowserContext, ElementHandle, Page } from 'puppeteer-core';
import { failing, type Answer } from '../src/browser/failing.ts';
import type { Viewport } from '../src/browser/screen.ts';
import { standsStill } from './camera.ts';
import { shotName, type Hand, type Shot, type Visitor } from './shots.ts';
import { wordOf } from './words.ts';
import type { World } from './world.ts';

const ACT_MS = 8_000;

/** Idle contexts: the next screen of a visitor finds scripts, styles and fonts loaded and compiled. */
const idle = new Map<Visitor, BrowserContext[]>();

/**
 * Opens one state of a screen as its visitor, in a language, and calls `look` once it has loaded.
 *
 * @param look gets a function that notes a fault
 * @param before is called before anything is loaded
 * @returns the faults, with the name of the screen
 */
export async function visit(
  browser: Browser,
  world: World,
  { shot, language, viewport }: { shot: Shot; language: string; viewport: Viewport },
  look: (page: Page, fault: (text: string) => void) => Promise<void>,
  before: (page: Page) => void | Promise<void> = () => undefined,
): Promise<string[]> {
  const spare = idle.get(shot.as) ?? [];
  idle.set(shot.as, spare);
  // A context has one page at a time, because a page behind another one does not paint.
  const context = spare.pop() ?? (await browser.createBrowserContext());
  const faults: string[] = [];
  const fault = (text: string) => void faults.push(`${shotName(shot)} (${language}): ${text}`);
  try {
    await context.overridePermissions(world.url, ['camera']);
    const page = await context.newPage();
    await page.setBypassServiceWorker(true);
    page.on('pageerror', (error) => fault(String(error)));
    await page.evaluateOnNewDocument(remember, storageOf(world, shot, language));
    if (shot.failing) await failing(page, { [shot.failing.replace(' ', ' ^/api')]: DOWN });
    await before(page);
    await page.setViewport(viewport);
    await page.goto(world.url + (shot.path?.(world) ?? shot.route), { waitUntil: 'domcontentloaded' });
    await standsStill(page);
    await shot.prepare?.(handOf(page, language)).catch((error: unknown) => {
      fault(error instanceof Error ? error.message : String(error));
    });
    await standsStill(page);
    await look(page, fault);
    await page.close();
  } catch (error) {
    await context.close();
    throw error;
  }
  spare.push(context);
  return faults;
}

function remember(storage: Record<string, string>): void {
  localStorage.clear();
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value);
}

function storageOf(world: World, { as }: Shot, language: string): Record<string, string> {
  if (as === 'guest') return { language };
  if (as === 'admin') return { language, admin_token: world.adminToken };
  return { language, token: world[as].token, capture_by_itself: 'off' };
}

/** The gateway's answer while a service is down. */
const DOWN: Answer = {
  status: 503,
  body: JSON.stringify({
    detail: 'This part of Karaar does not answer. Please try again in a moment.',
    code: 'service_unavailable',
  }),
};

function handOf(page: Page, language: string): Hand {
  return {
    page,
    press: async (catalog, key) => {
      const find = (text: string) =>
        [...document.querySelectorAll<HTMLElement>('main button, main a, [role="dialog"] button')].find(
          (each) => each.offsetParent !== null && each.innerText.includes(text),
        ) ?? false;
      const word = wordOf(catalog, key, language);
      const found = await page.waitForFunction(find, { timeout: ACT_MS }, word);
      const target = found as ElementHandle<HTMLElement>;
      await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
      await target.asLocator().setTimeout(ACT_MS).click();
    },
    type: async (at, text) => {
      const fields = await page.$$('main input');
      await fields[at]?.type(text);
    },
  };
}
