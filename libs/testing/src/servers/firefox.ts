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
      'media.navigator.streams.fake': options.camera !== undefined,
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

/** Puts the pictures of a Firefox in place of what its camera shows to a page; does nothing in other browsers. */
export async function drawCamera(page: Page): Promise<void> {
  const browser = page.browser();
  if (!cameras.has(browser)) return;
  await page.exposeFunction('cameraPictures', () => cameras.get(browser)?.map(dataUrl));
  await page.evaluateOnNewDocument(playPictures);
}

export const dataUrl = (picture: Buffer): string => `data:image/jpeg;base64,${picture.toString('base64')}`;

/**
 * Runs in the page, before it opens the camera.
 * @param pictures data URLs, if the browser has no camera at all
 */
export function playPictures(pictures?: string[]): void {
  // Pages without a secure origin, such as about:blank, have no camera.
  if (!('MediaDevices' in window)) return;
  const open = MediaDevices.prototype.getUserMedia;
  // WebKit forgets what is set on navigator.mediaDevices itself.
  MediaDevices.prototype.getUserMedia = async function (constraints) {
    const camera = pictures ? undefined : (await open.call(this, constraints)).getVideoTracks()[0];
    // exposeFunction has added it.
    const { cameraPictures } = window as typeof window & { cameraPictures?: () => Promise<string[]> };
    const images = await Promise.all(
      (pictures ?? (await cameraPictures?.()) ?? []).map(async (source) => {
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
    if (track) {
      // Firefox's camera is always at the back; a computer's camera has no side.
      if (camera) track.getSettings = () => ({ ...camera.getSettings(), facingMode: undefined });
      // Firefox shows a test's event only to a listener that wants it, by a fourth argument.
      const listen = track.addEventListener.bind(track) as (...how: unknown[]) => void;
      track.addEventListener = (type: string, act: unknown) => listen(type, act, undefined, true);
      track.stop = () => {
        clearInterval(timer);
        camera?.stop();
        stop?.();
      };
    }
    return stream;
  };
}
