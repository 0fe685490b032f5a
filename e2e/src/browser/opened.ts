/** Pages opened for one look, with a session, faster intervals, held timers or failing requests. */
import type { Browser, Page } from 'puppeteer-core';
import type { Person } from '../person.ts';
import { interfere, type Interference } from './failing.ts';
import { explained, openScreen, type Screen, type ScreenOptions, type Viewport } from './screen.ts';
import { holdTimers } from './toasts.ts';

export type { Interference };

export const DESKTOP = { width: 1280, height: 800 };
export const WIDE = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export type World = { url: string; browser: Browser };

export type OpenOptions = ScreenOptions & {
  path: string;
  as?: Person;
  viewport?: Viewport;
  /** Makes intervals of one length shorter, so that a test does not wait for a poll. Milliseconds. */
  hurry?: { from: number; to: number };
  /** Timers of these lengths wait for `letGo` (toasts.ts). Milliseconds. */
  hold?: number[];
  interfere?: Interference;
  /** Keeps service workers, which are off by default. */
  worker?: boolean;
};

/** Opens a page in a new browser context, calls back with it and closes it in any case. */
export async function withScreen(
  { browser, url }: World,
  options: OpenOptions,
  look: (screen: Screen) => Promise<void>,
): Promise<void> {
  const { as, viewport = DESKTOP, takesByItself, hold, hurry = null, worker = false } = options;
  const storage = { ...(as ? { token: as.token } : {}), ...options.storage };
  const screen = await openScreen(browser, url, viewport, { takesByItself, storage });
  const { page } = screen;
  try {
    await page.evaluateOnNewDocument(prepare, hurry, worker);
    if (hold) await page.evaluateOnNewDocument(holdTimers, hold);
    if (options.interfere) await interfere(page, options.interfere);
    await screen.goto(options.path);
    await look(screen);
  } finally {
    await screen.close();
  }
}

/** Runs in the page before the app. */
function prepare(hurry: { from: number; to: number } | null, worker: boolean): void {
  if (!worker) delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
  if (!hurry) return;
  const real = window.setInterval.bind(window);
  const quick = (handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
    real(handler, ms === hurry.from ? hurry.to : ms, ...rest);
  window.setInterval = quick as typeof window.setInterval;
}

/** Navigates within the app as a link does, once the first screen is shown. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.waitForSelector('main h1', { timeout: 15_000 });
  await page.evaluate((to: string) => {
    history.pushState({ idx: 0 }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
  }, path);
}

export async function heading(page: Page, text: string): Promise<void> {
  const wait = page.waitForFunction(
    (wanted: string) =>
      [...document.querySelectorAll('main h1')].some((each) => each.textContent?.trim() === wanted),
    { timeout: 15_000 },
    text,
  );
  await explained(page, `no heading '${text}'`, wait);
}

export const stored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => ({ ...localStorage }) as Record<string, string>);

export const textOf = ({ page }: Screen): Promise<string> => page.evaluate(() => document.body.innerText);

/** Returns the text of the sheet with this title, or an empty text. */
export const sheet = ({ page }: Screen, title: string): Promise<string> =>
  page.evaluate((wanted: string) => {
    const sheets = [...document.querySelectorAll<HTMLElement>('main section')];
    return sheets.find((each) => each.querySelector('h2')?.textContent === wanted)?.innerText ?? '';
  }, title);
