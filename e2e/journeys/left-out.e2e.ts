/**
 * A digital signature in an uploaded file does not survive: its sender is told, and accepts that or takes the file back; the
 * other party reads it before approving; the certificate of the sealed file prints it beside the drawing that stays.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { faceImage } from '@karaar/testing/faces/faces';
import { signedPdf, textPdf } from '@karaar/testing/made-up/files';
import { overflow } from '../screens/camera.ts';
import { DESKTOP, PHONE } from '../src/browser/opened.ts';
import { agree, finalize } from '../src/journey.ts';
import { inspectPdf } from '../src/pdf.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn, type SignedIn } from '../src/signed-in.ts';
import { photographAndSign } from '../src/verifying.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;
const TOLD =
  'Not in the sealed pages: digital signatures (where one shows on a page, that is only its picture).';

let browsers: TestBrowser[];
let sender: SignedIn;
let reader: SignedIn;
let folder: string;

beforeAll(async () => {
  const camera = await Promise.all([0.5, 0.502].map((x) => faceImage({ width: 1280, height: 720, x })));
  browsers = await Promise.all([launchChromium({ camera }), launchChromium({ camera })]);
  const [one, two] = browsers;
  if (!one || !two) throw new Error('two browsers are needed');
  [sender, reader] = await Promise.all([
    signedIn(one.browser, url, 'Meera Nair', PHONE),
    signedIn(two.browser, url, 'Vikram Shah', DESKTOP),
  ]);
  folder = await mkdtemp(join(tmpdir(), 'left-out-'));
  await writeFile(join(folder, 'deed.pdf'), signedPdf('Sale deed No. 4711'));
  await writeFile(join(folder, 'terms.pdf'), await textPdf('Paid by the fifth'));
}, 300_000);
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
  await rm(folder, { recursive: true, force: true });
}, 60_000);

it('is told to its sender, to the other party before the approval, and on the certificate', async () => {
  const { screen, person } = sender;
  const { page, press, sees, fill, upload } = screen;
  const file = (name: string) => upload('input[name=raw_documents]', [join(folder, name)]);
  await screen.goto('/document/create');
  await sees('Create Agreement');
  await fill('Document name', 'Sale of flat 4');
  await press('People');
  await fill('User ID of the other party', reader.person.charId);
  await press('Document');
  await file('deed.pdf');
  await sees('Some parts of deed.pdf cannot be sealed.');
  await sees(TOLD);
  expect(await overflow(page)).toBe(0);
  await screen.picture('left-out-asked');

  // Unanswered it goes no further; the file may be taken back.
  await press('Sign');
  await press('Create Agreement');
  await sees('Please look at the parts that cannot be sealed. Accept that, or choose another file.');
  await press('Look and decide: deed.pdf');
  await sees('Seal it without these parts?');
  await screen.picture('left-out-looked-at');
  await press('Remove this file');
  await screen.gone('deed.pdf');

  await file('terms.pdf');
  await file('deed.pdf');
  await press('Look and decide: deed.pdf');
  await press('Accept');
  await sees('You accepted: deed.pdf is sealed without these parts.');
  await press('Sign');
  await press('Capture Now: Profile photo');
  await photographAndSign(screen);
  await press('Complete Verification');
  await screen.isAt(/^\/document\/[0-9a-f-]{36}$/);
  const path = new URL(page.url()).pathname;

  await reader.screen.goto(path);
  await reader.screen.sees(TOLD);
  await reader.screen.sees(`${person.name} accepted that on`);
  expect(await overflow(reader.screen.page)).toBe(0);
  await reader.screen.picture('left-out-told');

  const id = path.split('/').at(-1) ?? '';
  await agree(sender.person, reader.person, id);
  const { text } = await inspectPdf(await finalize(sender.person, id));
  const said = text.replace(/\s+/g, ' ');
  expect(said).toContain('Signature valid');
  expect(said).toContain('Not in the sealed pages: digital signatures');
  expect(said).toMatch(/Meera Nair accepted that, \d+ \w+ \d{4}/);
});
