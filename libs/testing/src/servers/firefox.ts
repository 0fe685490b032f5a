import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findProgram } from '../machine/run.mjs';
import { guard, unguard } from '../processes/watchdog.ts';
import type { ChromiumOptions, TestBrowser } from './chromium.ts';

/** The pictures that pages of a Firefox see in place of a camera. */
const cameras = new WeakMap<Browser, readonly Buffer[]>();

/**
 * Starts a headless Firefox, which puppeteer drives by WebDriver BiDi. Firefox plays no file as a camera, so
 * `drawCamera` draws the pictures for each page.
 *
 * @throws Error if this machine has no Firefox
 */
export async function launchFirefox(options: Pick<ChromiumOptions, 'camera'> = {}): Promise<TestBrowser> {
  const executablePath = findProgram(['firefox-esr', 'firefox'], process.env['PATH'] ?? '');
  if (executablePath === undefined) throw new Error('There is no Firefox: install the package firefox-esr');
  const profile = mkdtempSync(join(tmpdir(), 'karaar-firefox-'));
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    userDataDir: profile,
    timeout: 60_000,
    extraPrefsFirefox: {
      'media.navigator.streams.fake': true,
      'media.navigator.permission.disabled': true,
      'ui.prefersReducedMotion': 1,
    },
  });
  // It does not end by itself when the test process is killed.
  const pid = browser.process()?.pid;
  if (pid !== undefined) guard(pid, 'SIGTERM');
  const showToCamera = (frames: readonly Buffer[]): void => void cameras.set(browser, frames);
  if (options.camera !== undefined) showToCamera(options.camera);
  return {
    browser,
    showToCamera,
    close: async () => {
      await browser.close();
      if (pid !== undefined) unguard(pid);
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Makes the pictures of a Firefox the camera of a page; does nothing in other browsers. */
export async function drawCamera(page: Page): Promise<void> {
  const frames = cameras.get(page.browser());
  if (frames !== undefined)
    await page.evaluateOnNewDocument(
      playPictures,
      frames.map((frame) => `data:image/jpeg;base64,${frame.toString('base64')}`),
    );
}

/** Runs in the page, before it opens the camera: the pictures are data URLs. */
export function playPictures(pictures: string[]): void {
  // Pages without a secure origin, such as about:blank, have no camera.
  if (!('MediaDevices' in window)) return;
  // WebKit forgets what is set on navigator.mediaDevices itself.
  MediaDevices.prototype.getUserMedia = async () => {
    const images = await Promise.all(
      pictures.map(async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        return image;
      }),
    );
    const canvas = document.createElement('canvas');
    canvas.width = images[0]?.width ?? 0;
    canvas.height = images[0]?.height ?? 0;
    const context = canvas.getContext('2d');
    let shown = 0;
    const timer = setInterval(() => {
      const image = images[shown++ % images.length];
      if (image) context?.drawImage(image, 0, 0);
    }, 100);
    const stream = canvas.captureStream(10);
    const [track] = stream.getVideoTracks();
    const stop = track?.stop.bind(track);
    if (track)
      track.stop = () => {
        clearInterval(timer);
        stop?.();
      };
    return stream;
  };
}
