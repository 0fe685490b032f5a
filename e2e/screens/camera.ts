/** Waits in the browser until a screen stands still. */
import type { Page } from 'puppeteer-core';

const STILL_MS = 10_000;

/** Fonts are there, nothing is loading (no grey shapes, nothing busy) and no image is missing. */
export async function standsStill(page: Page): Promise<void> {
  await page.waitForNetworkIdle({ idleTime: 150, timeout: STILL_MS }).catch(() => undefined);
  await page
    .waitForFunction(
      () => {
        const main = document.querySelector('#root')?.textContent?.trim();
        const waiting = document.querySelector('[data-skeleton], [aria-busy="true"]:not(canvas)');
        const images = [...document.images].every((image) => image.complete);
        return Boolean(main) && !waiting && images && document.fonts.status === 'loaded';
      },
      { timeout: STILL_MS, polling: 50 },
    )
    .catch(() => undefined);
}

/** Pixels by which the page is wider than its window: 0 when nothing has to be scrolled sideways. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const root = document.scrollingElement ?? document.documentElement;
    return Math.max(0, root.scrollWidth - root.clientWidth);
  });
