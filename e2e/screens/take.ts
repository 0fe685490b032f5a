/** Takes the pictures of one state of a screen: each width in both themes, from one visit per language. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import sharp from 'sharp';
import { overflow } from './camera.ts';
import { shotName, type Shot } from './shots.ts';
import { visit } from './visit.ts';
import type { World } from './world.ts';

const WIDTHS = { 390: 844, 768: 1024, 1440: 900 } as const;
const THEMES = ['light', 'dark'] as const;
/** Longer pages are cut: the rest repeats what is above. */
const TALLEST = 2_600;

export type Picture = { file: string; shot: Shot; width: number; theme: string; language: string };

/** @param folder where the files go */
export async function take(
  browser: Browser,
  world: World,
  shot: Shot,
  language: string,
  folder: string,
): Promise<{ pictures: Picture[]; faults: string[] }> {
  const widths = Object.entries(WIDTHS).filter(([width]) => shot.widths?.includes(Number(width)) ?? true);
  const viewport = { width: Number(widths[0]?.[0]), height: widths[0]?.[1] ?? 900 };
  const pictures: Picture[] = [];
  const faults = await visit(browser, world, { shot, language, viewport }, async (page, fault) => {
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
      if (wide > 0) fault(`${wide} px wider than ${width}`);
    }
  });
  return { pictures, faults };
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
  // There are hundreds of them: few colours, no noise.
  const small = sharp(shot24).png({ palette: true, quality: 80, effort: 7, compressionLevel: 9, dither: 0 });
  await writeFile(file, await small.toBuffer());
}
