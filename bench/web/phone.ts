/// <reference lib="dom" />
/**
 * A cheap phone (slow 4G, a processor four times slower) on which a user creates an agreement: how long the user
 * waits for each step. The time that the files take on the network is computed from their size and subtracted; the
 * rest is what this project can shorten.
 */
import { launchChromium } from '@karaar/testing/servers/chromium';
import { faceImage } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PredefinedNetworkConditions, type ElementHandle, type Page } from 'puppeteer-core';
import type { Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';

/** Milliseconds of waiting that a step may cost. */
const STEP_MS = 2_500;
/** As Chromium's own developer tools have it. Bytes a second, milliseconds. */
const SLOW_4G = PredefinedNetworkConditions['Slow 4G'];
const UPLOAD = SLOW_4G.upload ?? Number.NaN;
const SLOWER = isSmoke ? 1 : 4;

declare global {
  interface Window {
    /** Bytes of forms that the page has sent since the step began. */
    sentBytes: number;
  }
}

/** Runs in the page before the app: adds up what forms weigh. */
function weighForms(): void {
  window.sentBytes = 0;
  const weigh = (body: unknown) => {
    if (!(body instanceof FormData)) return;
    for (const value of body.values()) window.sentBytes += value instanceof Blob ? value.size : value.length;
  };
  const { fetch } = window;
  window.fetch = (input, init) => {
    weigh(init?.body);
    return fetch(input, init);
  };
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (body) {
    weigh(body);
    send.call(this, body);
  };
}

/**
 * @param storage what the browser of a signed-in user has in its local storage
 * @param otherParty 8-character ID of whom to name
 * @returns a row for each step
 */
export async function phoneJourney(
  url: string,
  storage: Record<string, string>,
  otherParty: string,
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-bench-phone-'));
  const file = join(folder, 'rent.pdf');
  await writeFile(file, await textPdf('The rent is ten thousand rupees'));
  const camera = await Promise.all(
    [0, 0.004].map((sway) => faceImage({ width: 1280, height: 720, x: 0.5 + sway })),
  );
  const chromium = await launchChromium({ camera });
  try {
    const context = chromium.browser.defaultBrowserContext();
    await context.overridePermissions(url, ['camera']);
    const page = await context.newPage();
    // Photos by hand: what is measured is the product and not the time that a camera waits for a steady picture.
    await page.evaluateOnNewDocument(() => localStorage.setItem('capture_by_itself', 'off'));
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await page.evaluateOnNewDocument(weighForms);
    const entries = JSON.stringify(Object.entries(storage));
    await page.evaluateOnNewDocument(
      `for (const [key, value] of ${entries}) localStorage.setItem(key, value)`,
    );
    await page.emulateNetworkConditions(isSmoke ? null : SLOW_4G);
    await page.emulateCPUThrottling(SLOWER);
    return await create(page, url, file, otherParty);
  } finally {
    await chromium.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function create(page: Page, url: string, file: string, otherParty: string): Promise<Row[]> {
  const rows: Row[] = [];
  /** One step: what the person does, and what is waited for. */
  const step = async (
    what: string,
    act: () => Promise<unknown>,
    until: () => Promise<unknown>,
    budget: { atMost: number } | null = { atMost: STEP_MS },
  ) => {
    const before = await bytesSent(page);
    const start = performance.now();
    await act();
    await until();
    const whole = performance.now() - start;
    const upload = ((await bytesSent(page)) - before) / (UPLOAD / 1_000);
    rows.push({
      what: `slow phone: ${what}`,
      value: Math.max(0, whole - upload),
      unit: 'ms',
      ...(budget ? { budget } : {}),
      ...(upload >= 1 ? { note: `and ${Math.round(upload)} ms of upload` } : {}),
    });
  };
  const sees = (text: string) => page.waitForSelector(`::-p-text(${text})`, { visible: true });
  const tap = async (name: string, role = 'button') => {
    const found = await page.waitForSelector(`aria/${name}[role="${role}"]`, { visible: true });
    await found?.asLocator().click();
  };
  const fill = (label: string, text: string) => page.locator(`aria/${label}`).fill(text);

  await step(
    'opens the dashboard for the first time',
    () => page.goto(`${url}/dashboard`, { waitUntil: 'domcontentloaded' }),
    () => sees('All Documents'),
    // Told only: the whole app comes over the wire once, before anything is created.
    null,
  );
  await step(
    'opens Create Agreement',
    () => tap('Create Document', 'link'),
    () => page.waitForSelector('input[type=file][name=raw_documents]'),
  );
  await step(
    'chooses a file',
    async () => {
      const input = await page.waitForSelector('input[type=file]');
      await (input as ElementHandle<HTMLInputElement> | null)?.uploadFile(file);
    },
    () => sees('rent.pdf'),
  );
  await fill('Document name', 'Rent agreement');
  await tap('Continue');
  await fill('User ID of the other party', otherParty);
  await tap('Continue');
  await sees('Start date');
  await step(
    'opens the camera',
    () => tap('Continue'),
    () => page.waitForSelector('aria/Capture[role="button"]', { visible: true }),
  );
  for (const photo of ['face', 'eye']) {
    await step(
      `takes the ${photo} photo`,
      () => tap('Capture'),
      () => sees('Submit Photo'),
    );
    await step(
      `has the ${photo} photo checked`,
      () => tap('Submit Photo'),
      () => sees(photo === 'face' ? 'Capture your eye photo' : 'Document Verification Required'),
    );
  }
  await page.locator('::-p-text(Type)').click();
  await fill('Your name as you sign it', 'Asha Rao');
  await step(
    'saves the signature',
    () => tap('Save Signature'),
    () => sees('signature.png'),
  );
  await step(
    'creates the agreement',
    () => tap('Complete Verification'),
    () => sees('Your document code'),
  );
  await step(
    'sees the agreement',
    async () => undefined,
    () =>
      page.waitForFunction(
        () =>
          /^\/document\/[0-9a-f-]{36}$/.test(location.pathname) &&
          document.querySelector('main h1')?.textContent?.includes('Rent agreement'),
      ),
  );
  return rows;
}

const bytesSent = (page: Page): Promise<number> =>
  page.evaluate(() => (window as Partial<Window>).sentBytes ?? 0);
