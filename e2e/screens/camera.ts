import type { Page } from 'puppeteer-core';

const STILL_MS = 10_000;

/** Waits until nothing loads: fonts and images are complete, and no placeholder is shown. Gives up after 10 s. */
export async function standsStill(page: Page): Promise<void> {
  await page.waitForNetworkIdle({ idleTime: 150, timeout: STILL_MS }).catch(() => undefined);
  const isStill = () => {
    const text = document.querySelector('#root')?.textContent?.trim();
    const waiting = document.querySelector('[data-skeleton], [aria-busy="true"]:not(canvas)');
    const images = [...document.images].every((image) => image.complete);
    return Boolean(text) && !waiting && images && document.fonts.status === 'loaded';
  };
  await page.waitForFunction(isStill, { timeout: STILL_MS, polling: 50 }).catch(() => undefined);
}

/** Returns the pixels by which the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const root = document.scrollingElement ?? document.documentElement;
    return Math.max(0, root.scrollWidth - root.clientWidth);
  });
