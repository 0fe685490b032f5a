import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '@karaar/testing/servers/chromium';
import sharp from 'sharp';

const WIDTHS = [390, 1440];
const THEMES = ['light', 'dark'] as const;

/**
 * Takes a screenshot per group, width and theme, and returns the files.
 * @throws Error if the page reports a fault, such as a violation of its content security policy
 */
export async function pictureGallery(url: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const chromium = await launchChromium();
  const written: string[] = [];
  try {
    const page = await chromium.browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    for (const theme of THEMES) {
      for (const width of WIDTHS) {
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await page.goto(url, { waitUntil: 'networkidle0' });
        await page.evaluate('document.fonts.ready.then(() => undefined)');
        for (const group of await page.$$('main > section')) {
          const name = await group.evaluate(({ id }) => id.replace(/^group-/, ''));
          const file = join(folder, `${name}-${width}-${theme}.png`);
          const shot = await group.screenshot({ captureBeyondViewport: true });
          await writeFile(file, await sharp(shot).png({ palette: true }).toBuffer());
          written.push(file);
        }
      }
    }
    if (faults.length > 0) throw new Error(`The page reported faults:\n${faults.join('\n')}`);
  } finally {
    await chromium.close();
  }
  return written;
}
