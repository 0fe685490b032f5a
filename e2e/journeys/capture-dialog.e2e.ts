/** The camera in the verification dialog, with drawn faces as its picture: face first, then eye, each refused until it is right. */
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { frames } from '../src/browser/cameras.ts';
import { PHONE, withScreen, type World } from '../src/browser/opened.ts';
import type { Screen } from '../src/browser/screen.ts';
import { createDocument } from '../src/journey.ts';
import { newPerson, type Person } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { freshPhone } from '../src/signed-in.ts';

jest.setTimeout(90_000);

const MISSING = 'Profile, Signature and Eye scan are required.';

let chromium: TestBrowser;
let world: World;
let owner: Person;
beforeAll(async () => {
  chromium = await launchChromium({ camera: await frames() });
  world = { url: sharedProduct.url, browser: chromium.browser };
  owner = await newPerson(world.url, 'Asha Rao', freshPhone());
}, 120_000);
afterAll(() => chromium.close());

/** Remembers what files the page puts into forms: field, name and type. */
function watchForms(): void {
  const sentFiles: string[] = [];
  Object.assign(globalThis, { sentFiles });
  for (const method of ['append', 'set'] as const) {
    const put = FormData.prototype[method] as (...args: unknown[]) => void;
    FormData.prototype[method] = function (this: FormData, ...args: unknown[]) {
      const [field, value] = args;
      if (value instanceof File) sentFiles.push(`${String(field)} ${value.name} ${value.type}`);
      put.apply(this, args);
    };
  }
}

describe('the verification dialog', () => {
  it('[CAPTURE-003] [CAPTURE-011] [CAPTURE-014] [CAPTURE-016] [CAPTURE-017] [CAPTURE-018] [CAPTURE-019] [CAPTURE-021] [CAPTURE-022] [CAPTURE-023] [CAPTURE-024] [CAPTURE-026] refuses a wrong picture and takes the right one, face first, then eye', async () => {
    const documentId = await createDocument(owner);
    const take = async ({ press }: Screen): Promise<void> => {
      await press('Capture');
      await press('Submit Photo');
    };
    chromium.showToCamera(await frames({ count: 0 }));
    const viewport = PHONE;
    await withScreen(world, { path: `/document/${documentId}`, as: owner, viewport }, async (screen) => {
      const { press, sees, gone } = screen;
      await press('Verify & Approve Yourself');
      await sees('Capture Now');
      await press('Complete Verification');
      await sees(MISSING);
      await press('Dismiss');
      await gone(MISSING);
      await screen.page.evaluate(watchForms);
      await press('Capture Now: Profile photo');
      await sees('Capture your profile photo');
      await take(screen);
      await sees('No face detected. Please retake.');
      chromium.showToCamera(await frames());
      await press('Retake');
      await take(screen);
      await sees('Capture your eye photo');
      chromium.showToCamera(await frames({ eyes: 'closed' }));
      await press('Switch front/back camera');
      await take(screen);
      await sees('No eye detected. Please retake.');
      chromium.showToCamera(await frames());
      await press('Retake');
      await take(screen);
      await sees('Verification Documents');
      await sees('profile_capture.jpg');
      await sees('eye_capture.jpg');
      expect(await screen.page.$$('aria/Retake: Profile photo[role="button"]')).toHaveLength(1);
      expect(await screen.page.$$('aria/Retake: Eye photo[role="button"]')).toHaveLength(1);
      // With both photos and without the signature it is still refused.
      await press('Complete Verification');
      await sees(MISSING);
      await screen.sign();
      await press('Save Signature');
      await press('Complete Verification');
      await sees('(face photo taken live, eye photo taken live)');
      const sent = await screen.page.evaluate(() => Reflect.get(globalThis, 'sentFiles') as string[]);
      for (const file of [
        'profile_pic profile_capture.jpg image/jpeg',
        'eye eye_capture.jpg image/jpeg',
        'sign signature.png image/png',
      ])
        expect(sent).toContain(file);
    });
  });
});
