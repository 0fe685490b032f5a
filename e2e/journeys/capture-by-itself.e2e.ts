/** By default the camera opens, takes and submits each photo automatically, and a signature needs no Save. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { faceImage } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { countActions } from '../src/actions.ts';
import { agree, codeOf, createDocument } from '../src/journey.ts';
import { DESKTOP, follow, heading, PHONE, withScreen, type Interference } from '../src/browser/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const folder = await newFolder();
await writeFile(join(folder, 'rent_agreement.pdf'), await textPdf('The rent is ten thousand rupees'));
// So close that the eyes fill their outline as well.
const world = await openBrowser({
  camera: [Buffer.from(await faceImage({ width: 1280, height: 720, size: 1 }))],
});
const [owner, guest, joiner] = [
  await newPerson(world.url, 'Asha Rao'),
  await newPerson(world.url, 'Vikram Shah'),
  await newPerson(world.url, 'Meera Nair'),
];
// A common agreement makes each a contact of the other.
await agree(owner, guest, await createDocument(owner));

/** Draws the signature and completes, without Save. */
async function signs(screen: Screen): Promise<void> {
  await screen.sees('Document Verification Required', 60_000);
  await screen.sign();
  await screen.sees(/signature\.png · \d+\.\d+ MB/);
  await screen.press('Complete Verification');
}

it.each([
  ['on a desktop', DESKTOP],
  ['on a phone', PHONE],
])('creates and sends an agreement with one PDF in 8 actions, %s', async (_, viewport) => {
  await withScreen(
    world,
    { path: '/dashboard', as: owner, viewport, takesByItself: true },
    async (opened) => {
      const { screen, actions } = countActions(opened);
      await screen.press('Create Document', 'link');
      await screen.upload('input[name=raw_documents]', [join(folder, 'rent_agreement.pdf')]);
      await screen.sees('1 page, ready');
      await screen.press('Continue');
      // Choosing a contact enables Continue.
      await screen.press('Vikram Shah');
      await screen.sees(/1 day · ₹1 · you pay/);
      await screen.press('Continue');
      await screen.sees('Capture your profile photo');
      await screen.sees('Capture your eye photo', 60_000);
      await signs(screen);
      await screen.isAt(/^\/document\/[0-9a-f-]{36}$/);
      await screen.sees('rent agreement');
      expect(actions()).toBe(8);
    },
  );
});

it('joins in 3 actions from the link with the code; the switch turns the automatic capture off for later visits too', async () => {
  const id = await createDocument(owner);
  const code = await codeOf(owner, id);
  const joiner = await newPerson(world.url, 'Kiran Das');
  const path = `/join-document?code=${code}`;
  await withScreen(world, { path, as: joiner, viewport: PHONE, takesByItself: true }, async (opened) => {
    const { screen, actions } = countActions(opened);
    await screen.press('Join Document');
    await screen.sees('You ask to join “Rent agreement”, created by Asha Rao.');
    await screen.sees('Capture your eye photo', 60_000);
    await signs(screen);
    await screen.sees('You asked to join. Waiting for Asha Rao to admit you.', 60_000);
    expect(actions()).toBe(3);
    await screen.goto('/document/join');
    await screen.sees('Request sent. Waiting for Asha Rao to admit you.');
  });
  await withScreen(world, { path, as: guest, viewport: PHONE, takesByItself: true }, async (screen) => {
    const { page } = screen;
    await screen.press('Join Document');
    await screen.sees('Capture your profile photo');
    const isOn = () =>
      page.$eval('[role=dialog] input[type=checkbox]', (box) => (box as HTMLInputElement).checked);
    await page.waitForSelector('[role=dialog] input[type=checkbox]');
    expect(await isOn()).toBe(true);
    await page.click('[role=dialog] input[type=checkbox]');
    await page.reload();
    await screen.press('Join Document');
    await screen.sees('Document Verification Required');
    await screen.press('Capture Now: Profile photo');
    await page.waitForSelector('[role=dialog] input[type=checkbox]');
    expect(await isOn()).toBe(false);
  });
});

it('shows a QR code for the phone on a computer without a camera, but not on a phone', async () => {
  const id = await createDocument(owner);
  const code = await codeOf(owner, id);
  await withScreen(world, { path: '/terms', as: guest, takesByItself: true }, async (screen) => {
    const { page } = screen;
    await page.evaluateOnNewDocument(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('Requested device not found', 'NotFoundError'));
      navigator.mediaDevices.enumerateDevices = () => Promise.resolve([]);
    });
    await screen.goto(`/join-document?code=${code}`);
    await screen.press('Join Document');
    await screen.sees('No camera found on your device. Please connect a camera and try again.');
    await screen.sees('Continue on your phone');
    const drawn = 'svg[aria-label="QR code of this page for your phone"] path';
    await page.waitForSelector(drawn, { visible: true });
    await page.setViewport({ ...PHONE, isMobile: true, hasTouch: true });
    await page.waitForSelector(drawn, { hidden: true });
  });
});

describe('an expired session', () => {
  const ENDED = 'Your session has ended. Sign in to go on.';
  /** Shortens the session check from 30 s. Milliseconds. */
  const hurry = { from: 30_000, to: 400 };

  /** Opens a page as this person, and lets the session of the page expire and another one begin on demand. */
  async function withExpiry(
    path: string,
    as: Person,
    look: (
      screen: Screen,
      expire: () => Promise<void>,
      signIn: (who: Person) => Promise<void>,
    ) => Promise<void>,
  ): Promise<void> {
    let [ended, next] = [false, as];
    const answer = (status: number, body: object) => ({
      status,
      contentType: 'application/json',
      body: JSON.stringify(body),
    });
    const interfere: Interference = (request) => {
      const { pathname } = new URL(request.url());
      if (ended && pathname === '/api/users/profile') return answer(401, { detail: ENDED });
      if (pathname !== '/api/auth/login') return undefined;
      return answer(200, { access_token: next.token, user_id: next.userId, char_id: next.charId });
    };
    const options = { path, as, viewport: PHONE, takesByItself: true, hurry, interfere };
    await withScreen(world, options, async (screen) => {
      const expire = async () => {
        ended = true;
        await screen.isAt(/^\/login$/);
        await screen.sees(ENDED);
        ended = false;
      };
      await look(screen, expire, async (who) => {
        next = who;
        await screen.fill('Phone number', who.phone.slice(3));
        await screen.fill('One-time code (OTP)', 'ABC234');
      });
    });
  }

  it('loses neither the form nor its photos for the same person', async () => {
    await withExpiry('/document/create', owner, async (screen, expire, signIn) => {
      await screen.upload('input[name=raw_documents]', [join(folder, 'rent_agreement.pdf')]);
      await screen.sees('1 page, ready');
      await screen.press('Continue');
      await screen.press('Vikram Shah');
      await screen.press('Continue');
      await screen.sees('Capture your eye photo', 60_000);
      await expire();
      await signIn(owner);
      await screen.sees('rent agreement');
      await screen.page.waitForSelector('[data-part=profile_pic][data-there]');
    });
  });

  it.each([
    ['keeps the photos of an open verification for the same person', () => joiner, 'Capture your eye photo'],
    ['erases them for another person', () => guest, 'Capture your profile photo'],
  ])('%s', async (_, next, asks) => {
    const code = await codeOf(owner, await createDocument(owner));
    const path = `/document/join?code=${code}`;
    await withExpiry(path, joiner, async (screen, expire, signIn) => {
      await screen.press('Join Document');
      await screen.sees('Capture your eye photo', 60_000);
      await expire();
      await signIn(next());
      await screen.until('the dashboard or the form', () => location.pathname !== '/login');
      if (next() !== joiner) await follow(screen.page, path);
      await heading(screen.page, 'Join Document');
      await screen.press('Join Document');
      await screen.page.waitForSelector('[role=dialog] video');
      expect(await screen.page.$eval('[role=dialog] h2', (title) => title.textContent)).toBe(asks);
    });
  });
});
