/** The camera in the verification dialog with double presses, early closing and a bad network. */
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { focusIsOn, frames, untilRunning, watchCameras, type Watched } from '../src/browser/cameras.ts';
import { createDocument } from '../src/journey.ts';
import { PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const world = await openBrowser({ camera: await frames() });
const owner = await newPerson(world.url, 'Asha Rao');
let documentId = await createDocument(owner);

/** The page of a small phone whose browser shows its bars. */
const SMALL = { width: 360, height: 640 };

const filming = (viewport: { width: number; height: number }, look: (screen: Screen) => Promise<void>) =>
  withScreen(world, { path: '/terms', as: owner, viewport }, async (screen) => {
    await screen.page.evaluateOnNewDocument(watchCameras);
    await screen.goto(`/document/${documentId}`);
    await screen.press('Verify & Approve Yourself');
    await screen.press('Capture Now: Profile photo');
    await untilRunning(screen.page, 1);
    await look(screen);
  });

type Refusal = { status: number; code: string; retryAfter?: string };
/** Answers requests with the refusal of `decide`, or holds them until its promise settles. */
async function instead(
  page: Page,
  decide: (call: string) => Refusal | Promise<unknown> | undefined,
): Promise<string[]> {
  const calls: string[] = [];
  const answer = async (request: HTTPRequest): Promise<void> => {
    const { pathname } = new URL(request.url());
    const call = `${request.method()} ${pathname.slice(pathname.lastIndexOf('/') + 1)}`;
    if (pathname.includes('verif')) calls.push(call);
    const decided = decide(call);
    if (decided === undefined || decided instanceof Promise) {
      await decided;
      return request.continue();
    }
    const { status, code, retryAfter } = decided;
    return request.respond({
      status,
      contentType: 'application/json',
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      body: JSON.stringify({ detail: code, code }),
    });
  };
  await page.setRequestInterception(true);
  // A cancelled request cannot be answered.
  page.on('request', (request) => void answer(request).catch(() => undefined));
  return calls;
}

/** Presses a button twice before the page renders. */
const pressTwice = (page: Page, name: string) =>
  page.waitForFunction(
    (wanted: string) => {
      const button = [...document.querySelectorAll('button')].find((each) => each.innerText === wanted);
      if (!button || button.disabled) return false;
      button.click();
      button.click();
      return true;
    },
    {},
    name,
  );

it('takes each photo once and live despite double presses, a busy check and lost nonces; the dialog stays open while it sends', async () => {
  await filming(SMALL, async (screen) => {
    const { page, press, sees } = screen;
    const refusals = new Map<string, (Refusal | undefined)[]>([
      ['POST validate', [{ status: 503, code: 'vision_busy', retryAfter: '1' }]],
      ['PUT captures', [{ status: 409, code: 'capture_not_open' }]],
    ]);
    let arrived = () => {};
    const sending = new Promise<void>((resolve) => (arrived = resolve));
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const calls = await instead(page, (call) => {
      if (call !== 'POST self-verify-approve') return refusals.get(call)?.shift();
      arrived();
      return held;
    });
    const button = await page.waitForSelector('aria/Capture[role="button"]');
    const box = await button?.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(SMALL.height);

    await press('Capture');
    // The first request for the eye photo's nonce fails.
    refusals.set('POST captures', [undefined, { status: 503, code: 'service_unavailable' }]);
    await pressTwice(page, 'Submit Photo');
    await sees('Capture your eye photo');
    await press('Capture');
    await press('Submit Photo');
    await sees(/profile_capture\.jpg · \d+\.\d+ MB/);
    await sees(/eye_capture\.jpg · \d+\.\d+ MB/);
    await screen.sign();
    await press('Save Signature');
    await sees(/signature\.png · \d+\.\d+ MB/);
    await pressTwice(page, 'Complete Verification');
    await sending;
    await press('Close');
    await sees('Sending your verification');
    release();
    await sees('(face photo taken live, eye photo taken live)');
    // One refusal, then each photo once.
    expect(calls.filter((call) => call === 'POST validate')).toHaveLength(3);
    expect(calls.filter((call) => call === 'POST self-verify-approve')).toHaveLength(1);
  });
});

it('drops a photo whose camera was closed during its check, and closes with Escape', async () => {
  documentId = await createDocument(owner);
  await filming(SMALL, async ({ page, press, sees }) => {
    let arrived = () => {};
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    await instead(page, (call) => {
      if (call !== 'POST validate') return undefined;
      arrived();
      return new Promise(() => undefined);
    });
    const givenUp = new Promise<string>((resolve) =>
      page.on('requestfailed', (request) => resolve(new URL(request.url()).pathname)),
    );
    await press('Capture');
    await press('Submit Photo');
    await asked;
    await press('Close');
    // The page cancels the open check, so that the server can serve another caller.
    const late = sleep(5_000, 'nothing', { ref: false });
    expect(await Promise.race([givenUp, late])).toBe('/api/documents/verification/validate');
    await sees('Verification Documents');
    await untilRunning(page, 0);

    await press('Capture Now: Profile photo');
    await untilRunning(page, 1);
    await page.keyboard.press('Escape');
    await sees('Verification Documents');
    await untilRunning(page, 0);
  });
});

/** Runs in the page: answers the check of a photo as soon as its button is disabled, before a frame is painted. */
function refusesAtOnce(): void {
  const send = (xhr: XMLHttpRequest) => {
    const answer = { ok: false, reason: 'no_face', boxes: [] };
    Object.defineProperties(xhr, {
      status: { value: 200 },
      responseText: { value: JSON.stringify(answer) },
      getResponseHeader: { value: () => null },
    });
    xhr.dispatchEvent(new Event('load'));
  };
  XMLHttpRequest.prototype.send = function () {
    const submit = [...document.querySelectorAll('button')].find((each) => each.innerText === 'Submit Photo');
    if (!submit) throw new Error('the submit button is not shown');
    new MutationObserver(() => send(this)).observe(submit, { attributeFilter: ['disabled'] });
  };
}

it('moves the focus on if the answer arrives before the page has painted its waiting state', async () => {
  documentId = await createDocument(owner);
  await filming(PHONE, async ({ page, press, sees }) => {
    await press('Capture');
    await page.evaluate(refusesAtOnce);
    await press('Submit Photo');
    await sees('No face detected. Please retake.');
    await focusIsOn(page, 'Retake');
  });
});

it('gives advice and moves the focus on, keeps the photo when the network is down, and keeps the chosen camera', async () => {
  world.showToCamera(await frames({ count: 2 }));
  // The offline banner must not cover the buttons of a phone's sheet.
  await filming(PHONE, async ({ page, press, sees }) => {
    await press('Switch front/back camera');
    await press('Capture');
    await press('Submit Photo');
    await sees('No face detected. Please retake.');
    await sees('One person only, please');
    await focusIsOn(page, 'Retake');
    world.showToCamera(await frames());
    await press('Retake');
    await press('Capture');
    await page.setOfflineMode(true);
    await sees('You are offline.');
    await press('Submit Photo');
    await sees('Validation failed. Please try again.');
    await focusIsOn(page, 'Submit Photo');
    await page.setOfflineMode(false);
    await press('Submit Photo');
    await sees('Capture your eye photo');
    await untilRunning(page, 1);
    const last = await page.evaluate(() => (Reflect.get(globalThis, 'cameras') as Watched).asked.at(-1));
    expect(last?.video).toMatchObject({ facingMode: 'environment' });
  });
});
