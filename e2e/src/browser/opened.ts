/** Pages opened for one look: with a session, with clocks that run quicker, with parts of the product taken away. */
import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import type { Person } from '../person.ts';
import { openScreen, type Screen } from './screen.ts';
import { holdTimers } from './toasts.ts';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** Where pages are opened. */
export type World = { url: string; browser: Browser };

/** What a page does about a request of its own: nothing (undefined), or what stands in for the answer. */
export type Interference = (
  request: HTTPRequest,
) => undefined | 'reset' | 'never' | { status: number; body?: string; contentType?: string };

export type OpenOptions = {
  /** The path to open. */
  path: string;
  /** Whose session is in local storage; nobody's when absent. */
  as?: Person;
  viewport?: { width: number; height: number };
  /** Further entries of local storage. */
  storage?: Record<string, string>;
  /** Milliseconds of intervals that pass quicker, and how quick: a poll is not waited for. */
  hurry?: { from: number; to: number };
  /** Milliseconds of timers that wait for `letGo` (toasts.ts). */
  hold?: number[];
  interfere?: Interference;
  /** The camera takes photos without a press. */
  takesByItself?: boolean;
  /** The browser has no service workers unless they are what is looked at. */
  worker?: boolean;
};

/** Opens a page in a context of its own at a path, and calls back with it; closes it in any case. */
export async function withScreen(
  world: World,
  options: OpenOptions,
  look: (screen: Screen) => Promise<void>,
): Promise<void> {
  const screen = await openScreen(world.browser, world.url, options.viewport ?? DESKTOP, {
    takesByItself: options.takesByItself === true,
  });
  const { page } = screen;
  try {
    const storage = { ...(options.as ? { token: options.as.token } : {}), ...options.storage };
    await page.evaluateOnNewDocument(prepare, storage, options.hurry ?? null, options.worker === true);
    if (options.hold) await page.evaluateOnNewDocument(holdTimers, options.hold);
    if (options.interfere) await interfere(page, options.interfere);
    await screen.goto(options.path);
    await look(screen);
  } finally {
    await screen.close();
  }
}

/** Runs in the page, before the app: the first load finds the storage as given, later ones as they left it. */
function prepare(
  storage: Record<string, string>,
  hurry: { from: number; to: number } | null,
  worker: boolean,
): void {
  if (!worker) delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
  if (sessionStorage.getItem('prepared') === null) {
    for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value);
    sessionStorage.setItem('prepared', '1');
  }
  if (!hurry) return;
  const real = window.setInterval.bind(window);
  const quick = (handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
    real(handler, ms === hurry.from ? hurry.to : ms, ...rest);
  window.setInterval = quick as typeof window.setInterval;
}

async function interfere(page: Page, decide: Interference): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const instead = decide(request);
    if (instead === undefined) void request.continue();
    else if (instead === 'never') return;
    else if (instead === 'reset') void request.abort('connectionreset');
    else void request.respond({ body: '', ...instead });
  });
}

/** Follows a path as a link would, without loading the page again; a link is there once a screen is. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.waitForSelector('main h1', { timeout: 15_000 });
  await page.evaluate((to: string) => {
    history.pushState({ idx: 0 }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
  }, path);
}

/** Waits until the first heading of the screen is this. */
export async function heading(page: Page, text: string): Promise<void> {
  await page
    .waitForFunction(
      (wanted: string) =>
        [...document.querySelectorAll('main h1')].some((each) => each.textContent?.trim() === wanted),
      { timeout: 15_000 },
      text,
    )
    .catch(async () => {
      const seen = await page.evaluate(() => document.body.innerText.slice(0, 2_000));
      throw new Error(`no heading '${text}' at ${page.url()}; the page says:\n${seen}`);
    });
}

/** The entries of local storage. */
export const stored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => ({ ...localStorage }) as Record<string, string>);
