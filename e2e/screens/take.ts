import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import sharp from 'sharp';
import { overflow } from './camera.ts';
import { shotName, type Shot } from './shots.ts';
import { visit } from './visit.ts';
import type { World } from './world.ts';

const WINDOWS = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
const THEMES = ['light', 'dark'] as const;
/** A longer page is cut, because its end repeats its start. */
const TALLEST = 2_600;

export type Picture = { file: string; shot: Shot; width: number; theme: string; language: string };

/** Writes the pictures to a folder and returns them, with the faults of the screen. */
export async function take(
  browser: Browser,
  world: World,
  shot: Shot,
  language: string,
  folder: string,
): Promise<{ pictures: Picture[]; faults: string[] }> {
  const windows = WINDOWS.filter(({ width }) => shot.widths?.includes(width) ?? true);
  const [viewport = { width: 390, height: 844 }] = windows;
  const pictures: Picture[] = [];
  const faults = await visit(browser, world, { shot, language, viewport }, async (page, fault) => {
    for (const { width, height } of windows) {
      for (const theme of THEMES) {
        await page.emulateMediaFeatures([
          { name: 'prefers-color-scheme', value: theme },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ]);
        await page.setViewport({ width, height });
        const file = `${shotName(shot)}-${width}-${theme}-${language}.png`;
        await writeFile(join(folder, file), await picture(page, width, height, shot));
        pictures.push({ file, shot, width, theme, language });
      }
      const wide = await overflow(page);
      if (wide > 0) fault(`${wide} px wider than ${width}`);
    }
  });
  return { pictures, faults };
}

async function picture(page: Page, width: number, height: number, shot: Shot): Promise<Buffer> {
  const whole = shot.dialog ? height : await page.evaluate(() => document.documentElement.scrollHeight);
  // A taller window, unlike stitched pictures, keeps sticky elements in their place.
  if (whole > height) await page.setViewport({ width, height: Math.min(whole, TALLEST) });
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  const options = { palette: true, quality: 80, effort: 7, compressionLevel: 9, dither: 0 };
  return sharp(await page.screenshot())
    .png(options)
    .toBuffer();
}
