/** Every screen in the states of its pictures: accessibility, content security policy and translation. */
import { jest } from '@jest/globals';
import pMap from 'p-map';
import { ProtocolError, type Page } from 'puppeteer-core';
import { overflow, standsStill } from '../screens/camera.ts';
import { shotName, shots, type Shot } from '../screens/shots.ts';
import { visit } from '../screens/visit.ts';
import { makeWorld, readIn } from '../screens/world.ts';
import { PHONE } from '../src/browser/opened.ts';
import { axe } from '../src/browser/axe.ts';
import { keyboardFaults, moving } from '../src/browser/keyboard-walk.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { collectData, untranslatedTexts } from '../src/untranslated.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(600_000);

const [chromium, world] = await Promise.all([openBrowser(), makeWorld(sharedProduct.url)]);

it('every screen passes axe in both themes, works by the keyboard, respects reduced motion, reflows and violates no policy', async () => {
  expect(await faultsOfAll(accessibilityFaults)).toEqual([]);
});

it('every screen is completely translated to Hindi', async () => {
  // The language of the account has precedence over that of the browser.
  await readIn(world, 'hi');
  expect(await faultsOfAll(languageFaults)).toEqual([]);
});

/** Checks all screens, sorted by visitor, so that the screens of a visitor share the cache of a context. */
async function faultsOfAll(look: (shot: Shot) => Promise<string[]>): Promise<string[]> {
  const only = process.env['E2E_SHOT'];
  const wanted = shots
    .filter((shot) => !only || shotName(shot).includes(only))
    .toSorted((a, b) => a.as.localeCompare(b.as));
  const faults = await pMap(wanted, (shot) => answered(shot, () => look(shot)), { concurrency: 4 });
  return faults.flat().sort();
}

/**
 * Checks a screen again on a new page if the browser did not answer, which happened once when four pages loaded. A
 * page that hangs fails the second time as well.
 */
async function answered(shot: Shot, look: () => Promise<string[]>): Promise<string[]> {
  const unlessAnswered = (error: unknown): unknown => {
    if (!(error instanceof ProtocolError)) throw error;
    return error;
  };
  const first = await look().catch(unlessAnswered);
  if (Array.isArray(first)) return first as string[];
  process.stderr.write(`${shotName(shot)} is looked at again: ${String(first)}\n`);
  const second = await look().catch(unlessAnswered);
  return Array.isArray(second) ? (second as string[]) : [`${shotName(shot)}: ${String(second)}`];
}

function accessibilityFaults(shot: Shot): Promise<string[]> {
  const look = async (page: Page, fault: (text: string) => void) => {
    await page.evaluate(collectReports);
    for (const [width, height, theme] of [
      [390, 844, 'dark'],
      [1440, 900, 'light'],
    ] as const) {
      if (shot.widths && !shot.widths.includes(width)) continue;
      await page.setViewport({ width, height });
      await wish(page, theme);
      await standsStill(page);
      for (const found of await axe(page, width === 1440 && !shot.widths ? 'sight' : 'all'))
        fault(`${width}, ${theme}: ${found}`);
    }
    for (const found of [...(await moving(page)), ...(await keyboardFaults(page))]) fault(found);
    // A window of 1280 px with a zoom of 200 % and of 400 %.
    for (const width of [640, 320]) {
      await page.setViewport({ width, height: 640 });
      const wide = await overflow(page);
      if (wide > 0) fault(`scrolls sideways by ${wide} px at ${width} px`);
    }
    for (const report of await page.evaluate(() => window.reports)) fault(report);
  };
  // Before the page loads, because an animation that has begun runs to its end.
  return visit(chromium.browser, world, { shot, language: 'en', viewport: PHONE }, look, (page) =>
    wish(page, 'dark'),
  );
}

/** Returns the untranslated texts of a screen in Hindi. */
function languageFaults(shot: Shot): Promise<string[]> {
  let data: Set<string> = new Set();
  const look = async (page: Page, fault: (text: string) => void) => {
    for (const text of await untranslatedTexts(page, data)) fault(`not translated: ${text}`);
    const language = await page.evaluate(() => document.documentElement.lang);
    if (language !== 'hi') fault(`the page says that its language is ${language}`);
  };
  return visit(chromium.browser, world, { shot, language: 'hi', viewport: PHONE }, look, (page) => {
    data = collectData(page);
  });
}

/** Sets the visitor's preferences: a theme, and reduced motion. */
const wish = (page: Page, theme: 'dark' | 'light') =>
  page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);

declare global {
  interface Window {
    reports: string[];
  }
}
function collectReports(): void {
  window.reports = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.reports.push(`${event.effectiveDirective} stops ${event.blockedURI}`);
  });
}
