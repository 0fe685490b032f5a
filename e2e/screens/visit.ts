/** Opens one state of a screen, as its visitor and in a language, and calls back with it. */
import type { Browser, BrowserContext, ElementHandle, Page } from 'puppeteer-core';
import { failing, type Answer } from '../src/browser/failing.ts';
import { standsStill } from './camera.ts';
import { shotName, type Hand, type Shot, type Visitor } from './shots.ts';
import { wordOf } from './words.ts';
import type { World } from './world.ts';

const ACT_MS = 8_000;

export type Visit = { shot: Shot; language: string; viewport: { width: number; height: number } };

/** Contexts that are free, of each visitor: the next screen of a visitor finds scripts, styles and fonts loaded and compiled. */
const free = new WeakMap<Browser, Map<Visitor, BrowserContext[]>>();

async function contextOf(browser: Browser, visitor: Visitor, url: string): Promise<BrowserContext> {
  const known = free.get(browser)?.get(visitor)?.pop();
  if (known) return known;
  const context = await browser.createBrowserContext();
  await context.overridePermissions(url, ['camera']);
  return context;
}

function giveBack(browser: Browser, visitor: Visitor, context: BrowserContext): void {
  const ofBrowser = free.get(browser) ?? new Map<Visitor, BrowserContext[]>();
  free.set(browser, ofBrowser);
  ofBrowser.set(visitor, [...(ofBrowser.get(visitor) ?? []), context]);
}

/**
 * @param look is called with the screen when it stands still, with no other page of its visitor beside it, and with a way to note a fault
 * @param before is called with the page before anything is loaded
 * @returns what went wrong on the way, with the screen's name
 */
export async function visit(
  browser: Browser,
  world: World,
  { shot, language, viewport }: Visit,
  look: (page: Page, fault: (text: string) => void) => Promise<void>,
  before: (page: Page) => void | Promise<void> = () => undefined,
): Promise<string[]> {
  const context = await contextOf(browser, shot.as, world.url);
  try {
    const page = await context.newPage();
    const faults = await visitOn(page, world, { shot, language, viewport }, look, before);
    await page.close();
    giveBack(browser, shot.as, context);
    return faults;
  } catch (error) {
    // What this context is like now is not known.
    await context.close();
    throw error;
  }
}

async function visitOn(
  page: Page,
  world: World,
  { shot, language, viewport }: Visit,
  look: (page: Page, fault: (text: string) => void) => Promise<void>,
  before: (page: Page) => void | Promise<void>,
): Promise<string[]> {
  const faults: string[] = [];
  const fault = (text: string) => void faults.push(`${shotName(shot)} (${language}): ${text}`);
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
  return faults;
}

/** Runs in the page before the app: a session, a language, no wish for a theme, and nothing that another screen has kept. */
function remember(storage: Record<string, string>): void {
  localStorage.clear();
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value);
}

function storageOf(world: World, { as }: Shot, language: string): Record<string, string> {
  if (as === 'guest') return { language };
  if (as === 'admin') return { language, admin_token: world.adminToken };
  // Each state is brought about by hand, also those before the camera.
  return { language, token: world[as].token, capture_by_itself: 'off' };
}

/** As the gateway answers while a service is down. */
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
      const word = wordOf(catalog, key, language);
      const found = await page.waitForFunction(
        (text: string) =>
          [...document.querySelectorAll<HTMLElement>('main button, main a, [role="dialog"] button')].find(
            (each) => each.offsetParent !== null && each.innerText.includes(text),
          ) ?? false,
        { timeout: ACT_MS },
        word,
      );
      const target = found as ElementHandle<HTMLElement>;
      await target.evaluate(comesToRest);
      await target.click();
    },
    type: async (at, text) => {
      const fields = await page.$$('main input');
      await fields[at]?.type(text);
    },
  };
}

/** Runs in the page: waits until an element stands still, in sight and enabled, so that a click meets it. */
function comesToRest(target: HTMLElement): Promise<void> {
  target.scrollIntoView({ block: 'center', behavior: 'instant' });
  return new Promise((resolve) => {
    let last = '';
    const look = () => {
      const { x, y } = target.getBoundingClientRect();
      const place = `${x} ${y}`;
      if (place === last && !target.matches(':disabled')) return resolve();
      last = place;
      requestAnimationFrame(look);
    };
    look();
  });
}
