/** Takes the pictures of one state of a screen: each width in both themes, from one visit per language. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import sharp from 'sharp';
import { overflow, standsStill } from './camera.ts';
import { shotName, type Hand, type Shot } from './shots.ts';
import { wordOf } from './words.ts';
import type { World } from './world.ts';

export const WIDTHS = { 390: 844, 768: 1024, 1440: 900 } as const;
export const THEMES = ['light', 'dark'] as const;
/** Longer pages are cut: the rest repeats what is above. */
const TALLEST = 2_600;
const ACT_MS = 8_000;

export type Picture = { file: string; shot: Shot; width: number; theme: string; language: string };
export type Taken = { pictures: Picture[]; faults: string[] };

/** @param folder where the files go */
export async function take(
  browser: Browser,
  world: World,
  shot: Shot,
  language: string,
  folder: string,
): Promise<Taken> {
  const context = await browser.createBrowserContext();
  const faults: string[] = [];
  const where = `${shotName(shot)} (${language})`;
  try {
    await context.overridePermissions(world.url, ['camera']);
    const page = await context.newPage();
    await page.setBypassServiceWorker(true);
    page.on('pageerror', (error) => faults.push(`${where}: ${String(error)}`));
    await page.evaluateOnNewDocument(remember, storageOf(world, shot, language));
    if (shot.failing) await failCalls(page, shot.failing);
    const widths = Object.entries(WIDTHS).filter(([width]) => shot.widths?.includes(Number(width)) ?? true);
    await page.setViewport({ width: Number(widths[0]?.[0]), height: widths[0]?.[1] ?? 900 });
    await page.goto(world.url + (shot.path?.(world) ?? shot.route), { waitUntil: 'domcontentloaded' });
    await standsStill(page);
    await shot.prepare?.(handOf(page, language)).catch((error: unknown) => {
      faults.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    });
    await standsStill(page);
    const pictures: Picture[] = [];
    for (const [width, height] of widths) {
      for (const theme of THEMES) {
        await page.emulateMediaFeatures([
          { name: 'prefers-color-scheme', value: theme },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ]);
        const file = `${shotName(shot)}-${width}-${theme}-${language}.png`;
        await picture(page, Number(width), height, shot, join(folder, file));
        pictures.push({ file, shot, width: Number(width), theme, language });
      }
      const wide = await overflow(page);
      if (wide > 0) faults.push(`${where}: ${wide} px wider than ${width}`);
    }
    return { pictures, faults };
  } finally {
    await context.close();
  }
}

/** Runs in the page before the app: a session, a language, no wish for a theme. */
function remember(storage: Record<string, string>): void {
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value);
}

function storageOf(world: World, { as }: Shot, language: string): Record<string, string> {
  if (as === 'guest') return { language };
  if (as === 'admin') return { language, admin_token: world.adminToken };
  return { language, token: world[as].token };
}

async function failCalls(page: Page, failing: string): Promise<void> {
  const [method, path = ''] = failing.split(' ');
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === method && pathname.startsWith(`/api${path}`))
      void request.respond({
        status: 503,
        contentType: 'application/json',
        body: JSON.stringify({
          detail: 'This part of Karaar does not answer. Please try again in a moment.',
          code: 'down',
        }),
      });
    else void request.continue();
  });
}

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
      await (found as unknown as { click: () => Promise<void> }).click();
    },
    type: async (at, text) => {
      const fields = await page.$$('main input');
      await fields[at]?.type(text);
    },
  };
}

async function picture(page: Page, width: number, height: number, shot: Shot, file: string): Promise<void> {
  await page.setViewport({ width, height });
  if (!shot.dialog) {
    const whole = await page.evaluate(() => document.documentElement.scrollHeight);
    // Taller by resizing, not by stitching: what sticks to the window's edges then stands where it should.
    if (whole > height) await page.setViewport({ width, height: Math.min(whole, TALLEST) });
  }
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  const shot24 = await page.screenshot();
  await writeFile(file, await sharp(shot24).png({ palette: true, effort: 4, dither: 0 }).toBuffer());
}

/** Makes the folder. */
export const makeFolder = (folder: string) => mkdir(folder, { recursive: true });
