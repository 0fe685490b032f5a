import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '../machine/programs.mjs';
import puppeteer, { type Browser } from 'puppeteer-core';

export interface ChromiumOptions {
  /** JPEG pictures of one size that its camera repeats. Without them a page finds no camera. */
  camera?: readonly Buffer[];
  /** Further switches for Chromium. */
  args?: readonly string[];
}

/** A browser with a separate, empty profile. */
export interface TestBrowser {
  browser: Browser;
  /** Shows other pictures from the next time a page opens the camera. */
  showToCamera(frames: readonly Buffer[]): void;
  /** Ends it and removes its profile. */
  close(): Promise<void>;
}

/** Chromium creates a socket there, 45 characters longer, and exits if the path is too long for a socket. */
const LONGEST_TMPDIR = 103 - 45;
const startMs = 60_000;

/**
 * Starts a headless Chromium: CHROMIUM_PATH, else the machine's own. It ends with the test process, even a
 * killed one, because they communicate over a pipe.
 *
 * @throws Error if this machine has no Chromium
 */
export async function launchChromium(options: ChromiumOptions = {}): Promise<TestBrowser> {
  const executablePath = chromiumPath(process.env, process.env['PATH'] ?? '');
  if (executablePath === undefined)
    throw new Error('There is no Chromium: install the package chromium, or set CHROMIUM_PATH');
  const profile = mkdtempSync(join(tmpdir(), 'karaar-chromium-'));
  const film = join(profile, 'camera.mjpeg');
  const showToCamera = (frames: readonly Buffer[]): void => {
    // Written atomically: the browser rejects a partial camera file.
    writeFileSync(`${film}.new`, Buffer.concat(frames));
    renameSync(`${film}.new`, film);
  };
  if (options.camera !== undefined) showToCamera(options.camera);

  const browser = await puppeteer.launch({
    executablePath,
    headless: true,
    pipe: true,
    userDataDir: join(profile, 'user-data'),
    timeout: startMs,
    protocolTimeout: startMs,
    env: { ...process.env, ...(profile.length > LONGEST_TMPDIR ? {} : { TMPDIR: profile }) },
    args: [
      ...switches(process.getuid?.() === 0),
      ...(options.camera === undefined ? [] : cameraSwitches(film)),
      ...(options.args ?? []),
    ],
  });
  return {
    browser,
    showToCamera,
    close: async () => {
      await browser.close();
      // Its helper processes may still be writing while they end.
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function switches(isRoot: boolean): string[] {
  return [
    // Chromium's sandbox does not work for root; the pages under test are our own.
    ...(isRoot ? ['--no-sandbox'] : []),
    // Containers have a small /dev/shm.
    '--disable-dev-shm-usage',
    '--force-color-profile=srgb',
  ];
}

/** A camera that plays a file, and automatically accepted permission prompts. */
function cameraSwitches(film: string): string[] {
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ];
}
