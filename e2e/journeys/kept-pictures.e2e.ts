/**
 * A page that cannot be kept as it looks is not decided on by us: whoever sends it looks at it and accepts that it is kept
 * as a picture, or takes another file; the other party is told. And what is seen can be heard: each page has its text.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { faceImage } from '@karaar/testing/faces/faces';
import { arrowPdf, textPdf } from '@karaar/testing/made-up/files';
import { overflow } from '../screens/camera.ts';
import { DESKTOP, PHONE } from '../src/browser/opened.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn, type SignedIn } from '../src/signed-in.ts';
import { photographAndSign } from '../src/verifying.ts';

jest.setTimeout(240_000);

const WIDE = { ...DESKTOP, width: 1440, height: 900 };
const { url } = sharedProduct;

let browsers: TestBrowser[];
let onPhone: SignedIn;
let onDesktop: SignedIn;
let folder: string;

beforeAll(async () => {
  const camera = await Promise.all([0.5, 0.502].map((x) => faceImage({ width: 1280, height: 720, x })));
  browsers = await Promise.all([launchChromium({ camera }), launchChromium({ camera })]);
  const [one, two] = browsers;
  if (!one || !two) throw new Error('two browsers are needed');
  [onPhone, onDesktop] = await Promise.all([
    signedIn(one.browser, url, 'Meera Nair', PHONE),
    signedIn(two.browser, url, 'Vikram Shah', WIDE),
  ]);
  folder = await mkdtemp(join(tmpdir(), 'kept-pictures-'));
  await writeFile(join(folder, 'plan.pdf'), arrowPdf('The rent is fixed'));
  await writeFile(join(folder, 'terms.pdf'), await textPdf('Paid by the fifth', 'On two pages'));
}, 300_000);
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Waits until the accessibility tree has this text, as a screen reader reads it out. */
async function hears({ page }: Screen, words: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false })).includes(words)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`"${words}" is not read out at ${page.url()}`);
}

/** Scrolls to the last page, again while the pages before it still grow, until the arrow is drawn there in red. */
const seesArrow = ({ until }: Screen) =>
  until('the arrow on the last page', () => {
    for (const page of document.querySelectorAll('[data-reading] li:last-of-type')) page.scrollIntoView();
    const drawn = [...document.querySelectorAll<HTMLCanvasElement>('[data-reading] canvas')];
    return drawn.some((canvas) => {
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
      return data?.some((value, at) => at % 4 === 0 && value > 200 && (data[at + 1] ?? 255) < 80) ?? false;
    });
  });

it.each([
  ['a phone', () => [onPhone, onDesktop] as const],
  ['a desktop', () => [onDesktop, onPhone] as const],
])('its sender on %s looks at it and accepts it, and the other party is told', async (_, people) => {
  const [{ person, screen }, other] = people();
  const { page, press, sees, fill, upload } = screen;
  const file = (name: string) => upload('input[name=raw_documents]', [join(folder, name)]);
  await screen.goto('/document/create');
  await sees('Create Agreement');
  await fill('Document name', `Plan of ${person.name}`);
  await press('People');
  await fill('User ID of the other party', other.person.charId);
  await press('Document');
  await file('plan.pdf');
  await sees('Page 1 of plan.pdf would be kept as a picture.');
  await sees('Otherwise something on it would be missing.');
  expect(await overflow(page)).toBe(0);
  await screen.picture(`picture-asked-${person.name}`);

  // Unanswered it goes no further; another file may be taken instead.
  await press('Sign');
  await press('Create Agreement');
  await sees('Please look at the pages that would be kept as pictures.');
  await press('Look and decide: plan.pdf');
  await seesArrow(screen);
  await screen.picture(`picture-looked-at-${person.name}`);
  await press('Remove this file');
  await screen.gone('plan.pdf');

  await file('terms.pdf');
  await file('plan.pdf');
  await press('Look and decide: plan.pdf');
  await seesArrow(screen);
  await press('Accept');
  await sees('You accepted: page 1 of plan.pdf is kept as a picture.');
  await screen.picture(`picture-accepted-${person.name}`);
  await press('Sign');
  await press('Capture Now: Profile photo');
  await photographAndSign(screen);
  await press('Complete Verification');
  await screen.isAt(/^\/document\/[0-9a-f-]{36}$/);
  const path = new URL(page.url()).pathname;

  await other.screen.goto(path);
  await other.screen.sees('Page 1 is kept as a picture of what viewers show.');
  await other.screen.sees(`${person.name} accepted that on`);
  await other.screen.sees('This page is kept as a picture.');
  for (const words of ['Paid by the fifth', 'On two pages', 'The rent is fixed'])
    await hears(other.screen, words);
  expect(await overflow(other.screen.page)).toBe(0);
  await seesArrow(other.screen);
  await other.screen.picture(`picture-told-${other.person.name}`);
});
