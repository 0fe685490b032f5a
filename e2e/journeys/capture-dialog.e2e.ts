/** The camera in the verification dialog, with drawn faces as its picture. */
import { jest } from '@jest/globals';
import { asked, callsOf } from '../src/browser/api-calls.ts';
import { frames, untilRunning, watchCameras } from '../src/browser/cameras.ts';
import { PHONE, withScreen } from '../src/browser/opened.ts';
import type { Screen } from '../src/browser/screen.ts';
import { createDocument } from '../src/journey.ts';
import { newPerson } from '../src/person.ts';
import { toastIs } from '../src/browser/toasts.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const MISSING = 'Profile, Signature and Eye scan are required.';

const world = await openBrowser({ camera: await frames() });
const owner = await newPerson(world.url, 'Asha Rao');

/** Runs in the page: records the texts of each form, and its files by name and type. */
function watchForms(): void {
  const forms: string[][] = [];
  const of = new WeakMap<FormData, string[]>();
  Object.assign(globalThis, { forms });
  for (const method of ['append', 'set'] as const) {
    const put = FormData.prototype[method] as (...args: unknown[]) => void;
    FormData.prototype[method] = function (this: FormData, ...args: unknown[]) {
      const [field, value] = args;
      const parts = of.get(this) ?? [];
      if (!of.has(this)) {
        forms.push(parts);
        of.set(this, parts);
      }
      parts.push(`${String(field)} ${value instanceof File ? `${value.name} ${value.type}` : String(value)}`);
      put.apply(this, args);
    };
  }
}
const formsOf = ({ page }: Screen) => page.evaluate(() => Reflect.get(globalThis, 'forms') as string[][]);
const checksOf = async (screen: Screen) =>
  (await formsOf(screen)).filter((parts) => parts.some((part) => part.startsWith('detect_type ')));
const buttonsOf = ({ page }: Screen) =>
  page.$$eval('[role=dialog] button', (all) =>
    all.filter((each) => each.checkVisibility()).map((each) => each.textContent?.trim()),
  );

/** Opens the dialog on a new document of the owner; the camera shows one person. */
async function onDialog(look: (screen: Screen, documentId: string) => Promise<void>): Promise<void> {
  world.showToCamera(await frames());
  const documentId = await createDocument(owner);
  await withScreen(world, { path: `/document/${documentId}`, as: owner, viewport: PHONE }, async (screen) => {
    await screen.press('Verify & Approve Yourself');
    await screen.sees('Capture Now');
    await screen.page.evaluate(watchForms);
    await screen.page.evaluate(watchCameras);
    await look(screen, documentId);
  });
}
const take = async ({ press }: Screen): Promise<void> => {
  await press('Capture');
  await press('Submit Photo');
};

describe('the verification dialog', () => {
  it('[CAPTURE-011] [CAPTURE-019] [CAPTURE-026] asks for each missing photo, face first, and does not complete without photos and signature', async () => {
    await onDialog(async (screen) => {
      const { press, page, sees } = screen;
      const isRefused = async () => {
        await press('Complete Verification');
        await toastIs(page, MISSING);
        await press('Dismiss');
        await screen.gone(MISSING);
      };
      const named = (name: string) => page.$$(`aria/${name}[role="button"]`);
      for (const photo of ['Profile photo', 'Eye photo']) {
        expect(await named(`Capture Now: ${photo}`)).toHaveLength(1);
        expect(await named(`Retake: ${photo}`)).toEqual([]);
      }
      await isRefused();
      await press('Capture Now: Profile photo');
      await sees('Capture your profile photo');
      await take(screen);
      await sees('Capture your eye photo');
      await take(screen);
      await sees('Verification Documents');
      for (const photo of ['Profile photo', 'Eye photo']) {
        expect(await named(`Retake: ${photo}`)).toHaveLength(1);
        expect(await named(`Capture Now: ${photo}`)).toEqual([]);
      }
      await isRefused();
      expect((await formsOf(screen)).flat().filter((part) => part.startsWith('sign '))).toEqual([]);
    });
  });

  it('[CAPTURE-003] [CAPTURE-016] [CAPTURE-017] starts the camera for each photo; Capture shows a preview with Retake and Submit Photo, and Retake the live picture', async () => {
    await onDialog(async (screen) => {
      const { page, press, sees, until } = screen;
      const isLive = async () => {
        await until('the live picture', () => {
          const video = document.querySelector<HTMLVideoElement>('[role=dialog] video');
          return video !== null && video.videoWidth > 0 && !video.paused;
        });
        await untilRunning(page, 1);
        expect(await page.$$('[role=dialog] img[alt="The photo you took"]')).toEqual([]);
        const buttons = await buttonsOf(screen);
        expect(buttons).toContain('Capture');
        for (const button of ['Retake', 'Submit Photo']) expect(buttons).not.toContain(button);
      };
      await press('Capture Now: Profile photo');
      for (const [photo, file] of [
        ['profile', 'profile_capture.jpg'],
        ['eye', 'eye_capture.jpg'],
      ] as const) {
        await sees(`Capture your ${photo} photo`);
        await isLive();
        const checks = (await checksOf(screen)).length;
        await press('Capture');
        await page.waitForSelector('[role=dialog] img[alt="The photo you took"]', { visible: true });
        await untilRunning(page, 0);
        const buttons = await buttonsOf(screen);
        expect(buttons).toEqual(expect.arrayContaining(['Retake', 'Submit Photo']));
        expect(buttons).not.toContain('Capture');
        await press('Retake');
        await isLive();
        // A photo that was not submitted is neither checked nor kept.
        expect(await checksOf(screen)).toHaveLength(checks);
        expect(await page.evaluate(() => document.body.innerText)).not.toContain(file);
        await take(screen);
      }
      await sees('eye_capture.jpg');
    });
  });

  it('[CAPTURE-021] [CAPTURE-022] [CAPTURE-023] [CAPTURE-024] has each photo checked for a face or an eye, and accepts none that fails', async () => {
    await onDialog(async (screen) => {
      const { page, press, sees, says } = screen;
      world.showToCamera(await frames({ count: 0 }));
      await press('Capture Now: Profile photo');
      await sees('Capture your profile photo');
      await take(screen);
      await says('No face detected. Please retake.');
      expect(await page.evaluate(() => document.body.innerText)).not.toContain('Capture your eye photo');
      world.showToCamera(await frames());
      await press('Retake');
      await take(screen);
      await sees('Capture your eye photo');
      world.showToCamera(await frames({ eyes: 'closed' }));
      await press('Switch front/back camera');
      await take(screen);
      await says('No eye detected. Please retake.');
      expect(await page.evaluate(() => document.body.innerText)).not.toContain('eye_capture.jpg');
      world.showToCamera(await frames());
      await press('Retake');
      await take(screen);
      await sees('Verification Documents');
      for (const file of ['profile_capture.jpg', 'eye_capture.jpg']) await sees(file);
      const face = ['detect_type faces', 'image profile_capture.jpg image/jpeg'];
      const eye = ['detect_type eyes', 'image eye_capture.jpg image/jpeg'];
      expect((await checksOf(screen)).map((parts) => parts.toSorted())).toEqual([face, face, eye, eye]);
    });
  });

  it('[CAPTURE-014] [CAPTURE-018] Complete Verification sends the two photos and the signature in their fields', async () => {
    await onDialog(async (screen, documentId) => {
      const { press, sees } = screen;
      const calls = callsOf(screen.page);
      await press('Capture Now: Profile photo');
      for (const photo of ['profile', 'eye']) {
        await sees(`Capture your ${photo} photo`);
        await take(screen);
      }
      await sees('Verification Documents');
      await screen.sign();
      await press('Save Signature');
      const path = `POST /api/documents/${documentId}/self-verify-approve`;
      expect(asked(calls, path)).toEqual([]);
      await press('Complete Verification');
      await sees('(face photo taken live, eye photo taken live)');
      expect(asked(calls, path)).toHaveLength(1);
      const sent = (await formsOf(screen)).find((parts) => parts.some((part) => part.startsWith('sign ')));
      expect(sent).toEqual(
        expect.arrayContaining([
          'profile_pic profile_capture.jpg image/jpeg',
          'eye eye_capture.jpg image/jpeg',
          'sign signature.png image/png',
        ]),
      );
    });
  });
});
