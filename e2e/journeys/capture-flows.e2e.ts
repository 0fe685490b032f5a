/** The capture modals of joining and creating, the signature pad and the camera page. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { CAPTURE_MAX_BYTES } from '@karaar/contracts/limits';
import { faceImage, idCardPng } from '@karaar/testing/faces/faces';
import { listIn } from '@karaar/testing/list-in';
import { until } from '@karaar/testing/until';
import type { Page } from 'puppeteer-core';
import { frames, photoQualities, watchPhotos } from '../src/browser/cameras.ts';
import { createDocument, invite } from '../src/journey.ts';
import { heading, PHONE, WIDE, withScreen } from '../src/browser/opened.ts';
import { newPerson, verification } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { toastIs, toastsOf } from '../src/browser/toasts.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const world = await openBrowser({ camera: await frames({ seed: 5 }) });
const owner = await newPerson(world.url, 'Asha Rao');
const guest = await newPerson(world.url, 'Vikram Shah');
const { body } = await owner.call('GET', `/documents/${await createDocument(owner)}`);
const code = String(body['document_code']);
const folder = await newFolder();
await writeFile(join(folder, 'plan.png'), await idCardPng('FLOOR PLAN'));
await writeFile(join(folder, 'face.jpg'), await faceImage({ seed: 5, width: 1280, height: 720 }));
await writeFile(join(folder, 'broken.jpg'), 'no picture');
await writeFile(join(folder, 'terms.pdf'), 'no picture either');
await writeFile(join(folder, 'huge.png'), Buffer.alloc(CAPTURE_MAX_BYTES + 1));

const MODAL = 'Document Verification Required';
/** Uploads a picture of the device instead of a photo. */
const upload = async ({ press, upload: give }: Screen, path: string): Promise<void> => {
  await give('[role=dialog] input[name=device-photo]', [path]);
  await press('Submit Photo');
};
const take = async ({ press }: Screen): Promise<void> => {
  await press('Capture');
  await press('Submit Photo');
};

type Ink = { width: number; height: number; dark: number; blackest: number; thickness: number };
/** Measures the signature canvas: size, dark pixels, and thickness of the line in the middle. */
const inkOf = (page: Page): Promise<Ink> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[aria-busy="false"]');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) throw new Error('the signature pad is not shown');
    const { width, height } = canvas;
    const { data } = context.getImageData(0, 0, width, height);
    const brightest = (at: number) => Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
    let [dark, blackest, thickness] = [0, 255, 0];
    for (let i = 0; i < data.length; i += 4) {
      const value = brightest(i);
      blackest = Math.min(blackest, value);
      if (value < 128) dark += 1;
    }
    for (let y = 0; y < height; y++) thickness += (255 - brightest((y * width + width / 2) * 4)) / 255;
    return { width, height, dark, blackest, thickness };
  });

async function drawLine(page: Page): Promise<void> {
  const canvas = await page.waitForSelector('canvas[aria-busy="false"]', { visible: true });
  await canvas?.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const box = await canvas?.boundingBox();
  if (!box) throw new Error('the signature pad is not shown');
  const y = Math.round(box.y + box.height / 2);
  await page.mouse.move(box.x + box.width * 0.2, y);
  await page.mouse.down();
  for (let i = 1; i <= 12; i++) await page.mouse.move(box.x + box.width * (0.2 + i * 0.05), y);
  await page.mouse.up();
}

/** Opens the modal of Join Document, and records the requests that send something about documents. */
const joining = (look: (screen: Screen, sent: string[]) => Promise<void>) =>
  withScreen(world, { path: `/join-document?code=${code}`, as: guest }, async (screen) => {
    const sent: string[] = [];
    screen.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      // The lookup of a code sends nothing about the person.
      if (pathname.endsWith('/join/look-up')) return;
      if (request.method() !== 'GET' && pathname.startsWith('/api/documents/')) sent.push(pathname);
    });
    await screen.press('Join Document');
    await screen.sees(MODAL);
    await look(screen, sent);
  });

describe('the modal for joining', () => {
  it('[CAPTURE-001] [CAPTURE-002] [CAPTURE-004] [CAPTURE-005] [CAPTURE-008] [CAPTURE-009] [CAPTURE-012] [CAPTURE-013] [CAPTURE-034] [CAPTURE-035] draws, clears and saves a signature or takes an uploaded one, photos by the camera alone; Cancel sends nothing', async () => {
    await joining(async ({ page, press, sees, settled, upload }, sent) => {
      await sees('Verification Documents');
      await settled();
      expect(await page.$$('[role=dialog] input[type=file]')).toEqual([]);
      await drawLine(page);
      const drawn = await inkOf(page);
      expect([drawn.width, drawn.height, drawn.blackest]).toEqual([600, 300, 0]);
      expect(drawn.thickness).toBeGreaterThan(1.5);
      expect(drawn.thickness).toBeLessThan(2.5);
      await press('Clear Signature');
      expect((await inkOf(page)).dark).toBe(0);
      await press('Save Signature');
      await toastIs(page, 'Signature is required');
      await drawLine(page);
      await press('Save Signature');
      await sees(/signature\.png · \d+\.\d+ MB/);
      await press('Upload', 'radio');
      await upload('[role=dialog] input[type=file]', [join(folder, 'plan.png')]);
      await sees(/signature\.png · \d+\.\d+ MB/);
      await press('Cancel');
      await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
      expect(sent).toEqual([]);
    });
  });

  it('[CAPTURE-006] [CAPTURE-007] [CAPTURE-010] [CAPTURE-025] reports a validation without an answer as failed, and lists each photo with its size', async () => {
    await joining(async (screen, sent) => {
      const { page, press, sees } = screen;
      let failing = true;
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const refused = failing && request.url().endsWith('/verification/validate');
        if (refused) void request.respond({ status: 503, contentType: 'application/json', body: '{}' });
        else void request.continue();
      });
      const parts = await page.$$eval('[role=dialog] [data-part]', (pieces) =>
        pieces.map((piece) => piece.getAttribute('data-part')),
      );
      expect(parts).toEqual(['profile_pic', 'eye', 'sign']);
      await press('Capture Now: Profile photo');
      await take(screen);
      await screen.says('Validation failed. Please try again.');
      failing = false;
      await press('Retake');
      await take(screen);
      await sees('Capture your eye photo');
      await take(screen);
      await sees(/profile_capture\.jpg · \d+\.\d+ MB/);
      await sees(/eye_capture\.jpg · \d+\.\d+ MB/);
      await press('Complete Verification');
      await toastIs(page, 'Signature is required');
      expect(sent).not.toContain('/api/documents/join');
      await drawLine(page);
      await press('Save Signature');
      await sees(/signature\.png · \d+\.\d+ MB/);
      const listed = await page.$$eval('[role=dialog] li[data-part]', (pieces) =>
        pieces.map((piece) => piece.innerText),
      );
      await page.evaluate(watchSizes);
      await press('Complete Verification');
      await sees('Your request was sent. The creator of the document will approve it.');
      expect(sent).toContain('/api/documents/join');
      const sizes = await page.evaluate(() => Reflect.get(globalThis, 'sizes') as Record<string, number>);
      const names = ['profile_capture.jpg', 'eye_capture.jpg', 'signature.png'];
      for (const [at, name] of names.entries())
        expect(listed[at]).toContain(`${name} · ${((sizes[name] ?? 0) / 1024 / 1024).toFixed(2)} MB`);
    });
    const { body } = await owner.call('GET', '/documents/my-documents');
    const [document] = listIn<{ document_id: string }>(body);
    const events = await owner.call('GET', `/documents/${document?.document_id ?? ''}/events`);
    expect(JSON.stringify(events.body)).toContain('(face photo taken live, eye photo taken live)');
  });
});

/** Runs in the page: records the size of each file of a form, by its name. */
function watchSizes(): void {
  const append = FormData.prototype.append as (...args: unknown[]) => void;
  const sizes: Record<string, number> = {};
  Object.assign(globalThis, { sizes });
  FormData.prototype.append = function (this: FormData, ...args: unknown[]) {
    const [, value] = args;
    if (value instanceof File) sizes[value.name] = value.size;
    append.apply(this, args);
  };
}

/** Runs in the page: records the last signature of a form, and the pad at that moment. */
function watchSignature(): void {
  const append = FormData.prototype.append as (...args: unknown[]) => void;
  FormData.prototype.append = function (this: FormData, ...args: unknown[]) {
    const [field, value] = args;
    const pad = document.querySelector<HTMLCanvasElement>('[role=dialog] canvas[role=img]');
    if (field === 'sign') Object.assign(globalThis, { handedIn: value, shown: pad?.toDataURL() });
    append.apply(this, args);
  };
}

/** Counts the sent pixels that differ from the shown ones, and the dark ones. */
const sentBesideShown = (page: Page): Promise<{ different: number; dark: number }> =>
  page.evaluate(async () => {
    const pixels = async (blob: Blob) => {
      const picture = await createImageBitmap(blob);
      const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
      context?.drawImage(picture, 0, 0);
      return context?.getImageData(0, 0, picture.width, picture.height).data ?? [];
    };
    const sent = await pixels(Reflect.get(globalThis, 'handedIn') as Blob);
    const bytes = atob(String(Reflect.get(globalThis, 'shown')).split(',')[1] ?? '');
    const shown = await pixels(new Blob([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))]));
    let [different, dark] = [0, 0];
    for (let i = 0; i < sent.length; i += 4) {
      if (sent[i] !== shown[i]) different += 1;
      if ((sent[i] ?? 255) < 128) dark += 1;
    }
    return { different, dark };
  });

describe('the signature that is sent', () => {
  /** Takes both photos; the request to join fails, so that the dialog stays open. */
  const asGuest = async (name: string, look: (screen: Screen) => Promise<void>) => {
    const joiner = await newPerson(world.url, name);
    await withScreen(
      world,
      { path: `/join-document?code=${code}`, as: joiner, viewport: PHONE },
      async (screen) => {
        await screen.press('Join Document');
        await screen.press('Capture Now: Profile photo');
        await take(screen);
        await screen.sees('Capture your eye photo');
        await take(screen);
        await screen.sees(/eye_capture\.jpg · \d/);
        await screen.page.evaluate(watchSignature);
        await screen.page.setRequestInterception(true);
        screen.page.on('request', (request) => {
          const joins = request.url().endsWith('/documents/join');
          if (joins) void request.respond({ status: 503, contentType: 'application/json', body: '{}' });
          else void request.continue();
        });
        await look(screen);
      },
    );
  };
  const complete = async (screen: Screen) => {
    await screen.page.evaluate(() => Reflect.deleteProperty(globalThis, 'handedIn'));
    await screen.press('Complete Verification');
    await screen.until('a signature is sent', () => Reflect.get(globalThis, 'handedIn') instanceof Blob);
    await screen.until('the pad takes strokes again', () => !document.querySelector('[role=dialog] [inert]'));
    return sentBesideShown(screen.page);
  };
  const isRefused = async ({ page, press, sees }: Screen) => {
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'handedIn'));
    await press('Complete Verification');
    await sees('Signature is required');
    expect(await page.evaluate(() => Reflect.has(globalThis, 'handedIn'))).toBe(false);
  };

  it('is the content of the pad at Complete: with strokes after Save, after a rotation of the phone, and without cleared strokes', async () => {
    await asGuest('Kavya Pillai', async (screen) => {
      const { page, press } = screen;
      await screen.sign();
      await press('Save Signature');
      const first = await complete(screen);
      expect(first.dark).toBeGreaterThan(0);
      await drawLine(page);
      const more = await complete(screen);
      expect(more.different).toBe(0);
      expect(more.dark).toBeGreaterThan(first.dark);
      const before = await inkOf(page);
      await page.setViewport({ width: 320, height: 640 });
      await page.setViewport({ width: 844, height: 390 });
      expect(await inkOf(page)).toEqual(before);
      expect(await complete(screen)).toEqual(more);
      await page.setViewport(PHONE);
      await press('Clear Signature');
      await isRefused(screen);
    });
  });

  it('stays on the pad after a retaken photo; the pad accepts strokes after Clear during a stroke', async () => {
    await asGuest('Rohan Mehta', async (screen) => {
      const { page, press, sees } = screen;
      await screen.sign();
      const before = await inkOf(page);
      await press('Retake: Eye photo');
      await take(screen);
      await sees('Verification Documents');
      expect(await inkOf(page)).toEqual(before);
      expect((await complete(screen)).different).toBe(0);
      const canvas = await page.$('canvas[aria-busy="false"]');
      const box = await canvas?.boundingBox();
      if (!box) throw new Error('the signature pad is not shown');
      await page.mouse.move(box.x + 20, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + 80, box.y + 60);
      await page.$eval('[role=dialog] canvas', (pad) =>
        pad.parentElement?.nextElementSibling?.querySelector('button')?.click(),
      );
      await page.mouse.up();
      expect((await inkOf(page)).dark).toBe(0);
      await drawLine(page);
      expect((await inkOf(page)).dark).toBeGreaterThan(0);
      expect((await complete(screen)).different).toBe(0);
    });
  });

  it('begins with the person’s name, and is the name typed at Complete; an unreadable picture removes an earlier one', async () => {
    await asGuest('Nisha Verma', async (screen) => {
      const { page, press, sees, fill, upload } = screen;
      await press('Type', 'radio');
      const field = '[role=dialog] input[autocomplete=name]';
      expect(await page.$eval(field, (input) => (input as HTMLInputElement).value)).toBe('Nisha Verma');
      expect((await complete(screen)).different).toBe(0);
      await fill('Your name as you sign it', 'Nisha');
      await press('Save Signature');
      await fill('Your name as you sign it', 'Nisha Verma');
      const typed = await complete(screen);
      expect(typed.different).toBe(0);
      expect(typed.dark).toBeGreaterThan(0);
      await press('Upload', 'radio');
      await isRefused(screen);
      await upload('[role=dialog] input[name=sign]', [join(folder, 'plan.png')]);
      await sees(/signature\.png · \d/);
      expect((await complete(screen)).different).toBe(0);
      await upload('[role=dialog] input[name=sign]', [join(folder, 'broken.jpg')]);
      await sees('This picture could not be read. Choose a PNG or JPEG.');
      await isRefused(screen);
    });
  });
});

describe('Upload from device', () => {
  it.each([
    ['a phone', PHONE],
    ['a desktop', WIDE],
  ])(
    '[CAPTURE-005] joins with pictures of the device on %s; each is checked as one of the camera is, and recorded as such',
    async (_, viewport) => {
      const joiner = await newPerson(world.url, 'Meera Nair');
      const options = { path: `/join-document?code=${code}`, as: joiner, viewport };
      await withScreen(world, options, async (screen) => {
        const { press, sees, page } = screen;
        await press('Join Document');
        await press('Capture Now: Profile photo');
        await sees('Upload from device');
        for (const [file, fault] of [
          ['terms.pdf', 'Please select an image file'],
          ['huge.png', 'This picture is too large. Choose one of at most 10 MB.'],
          ['broken.jpg', 'This picture could not be read. Choose a PNG or JPEG.'],
        ] as const) {
          await screen.upload('[role=dialog] input[name=device-photo]', [join(folder, file)]);
          await sees(fault);
        }
        await upload(screen, join(folder, 'plan.png'));
        await sees('No face detected. Please retake.');
        await press('Retake');
        await upload(screen, join(folder, 'face.jpg'));
        await sees('Capture your eye photo');
        await upload(screen, join(folder, 'plan.png'));
        await sees('No eye detected. Please retake.');
        await press('Retake');
        await upload(screen, join(folder, 'face.jpg'));
        await sees(/profile_capture\.jpg · \d+\.\d+ MB/);
        await drawLine(page);
        await press('Save Signature');
        await press('Complete Verification');
        await sees('Your request was sent.');
      });
      expect(await lastVerification('Meera Nair')).toMatchObject({
        profile_pic: { source: 'device' },
        eye: { source: 'device' },
      });
    },
  );

  it('[CAPTURE-005] [DOC-096] creates with a picture of the device and a photo of the camera', async () => {
    await withScreen(world, { path: '/document/create', as: owner, viewport: PHONE }, async (screen) => {
      const { page, press, sees, fill, isAt } = screen;
      await heading(page, 'Create Agreement');
      await page.waitForNetworkIdle({ idleTime: 300 });
      await screen.upload('input[name=raw_documents]', [join(folder, 'plan.png')]);
      await sees('plan.png');
      await fill('Document name', 'From the album');
      await press('People');
      await fill('User ID of the other party', guest.charId);
      await press('Sign');
      await press('Capture Now: Profile photo');
      await upload(screen, join(folder, 'face.jpg'));
      await sees('Capture your eye photo');
      await take(screen);
      await sees(MODAL);
      await drawLine(page);
      await press('Save Signature');
      await press('Complete Verification');
      await isAt(/^\/document\/[0-9a-f-]{36}$/);
      // The document waits for the other party at once.
      await page.waitForSelector('main [data-status=pending][data-large]');
      await sees('Waiting for Vikram Shah to verify and approve.');
    });
    expect(await lastVerification('Asha Rao')).toMatchObject({
      profile_pic: { source: 'device' },
      eye: { source: 'live' },
    });
  });

  it('[CAPTURE-012] is not offered for Verify & Approve nor on the camera page', async () => {
    const id = await createDocument(owner);
    await withScreen(world, { path: `/document/${id}`, as: owner }, async (screen) => {
      const { page, press, sees, settled } = screen;
      await press('Verify & Approve Yourself');
      await press('Capture Now: Profile photo');
      await sees('Switch front/back camera');
      await settled();
      expect(await page.$$('[role=dialog] input[type=file]')).toEqual([]);
    });
    await withScreen(world, { path: '/camera' }, async ({ page, sees, settled }) => {
      await sees('Switch front/back camera');
      await settled();
      expect(await page.$$('input[type=file]')).toEqual([]);
    });
  });
});

/** Returns the photos of a person's last verification in the history of the owner's newest document. */
async function lastVerification(name: string): Promise<unknown> {
  const { body } = await owner.call('GET', '/documents/my-documents?sort=changed');
  const [document] = listIn<{ document_id: string }>(body);
  const events = await owner.call('GET', `/documents/${document?.document_id ?? ''}/events`);
  const photos = listIn<{ actor_name: string; photos?: unknown }>(events.body).flatMap(
    ({ actor_name, photos: kept }) => (actor_name === name && kept ? [kept] : []),
  );
  return photos.at(-1);
}

it('warns only the creator, above the pages and Approve Document, about a photo that another person has used before', async () => {
  const id = await createDocument(owner);
  const friend = await newPerson(world.url, 'Meera Nair');
  await invite(owner, friend, id);
  // The same pictures as the creator's.
  await friend.send(`/documents/${id}/self-verify-approve`, await verification(1));
  const hint = 'A photo was used before, in another agreement or by another user';
  await withScreen(world, { path: `/document/${id}`, as: owner, viewport: PHONE }, async (screen) => {
    await screen.sees(hint);
    await screen.sees('Approve Document');
    const tops = await screen.page.$$eval(
      'main p, main h2, main button',
      (all, texts) =>
        texts.map(
          (text) => all.find((each) => each.textContent === text)?.getBoundingClientRect().top ?? NaN,
        ),
      [hint, 'Your turn: read, then approve', 'Approve Document'],
    );
    expect(tops.toSorted((a, b) => a - b)).toEqual(tops);
    expect(tops[0]).toBeLessThan(PHONE.height);
  });
  await withScreen(world, { path: `/document/${id}`, as: friend }, async ({ page, sees, settled }) => {
    await sees('Involved Users');
    await sees('Meera Nair');
    await settled();
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(hint);
  });
});

it('[CAPTURE-002] [CAPTURE-015] [CAPTURE-020] [DOC-019] [DOC-020] Create Agreement asks for each missing photo in a modal with camera, switch and Capture, then for the signature in the same modal', async () => {
  await withScreen(world, { path: '/document/create', as: owner }, async (screen) => {
    const { page, press, sees, fill, upload } = screen;
    await heading(page, 'Create Agreement');
    await page.waitForNetworkIdle({ idleTime: 300 });
    await fill('Document name', 'Rent agreement');
    await upload('input[type=file]', [join(folder, 'plan.png')]);
    await sees('plan.png');
    await press('People');
    await fill('User ID of the other party', guest.charId);
    await press('Sign');
    const asksFor = (photo: string) =>
      until(photo, async () => (await toastsOf(page)).includes(photo) && (await modal()) === photo);
    const modal = () => page.$eval('[role=dialog] h2', (title) => title.textContent);
    await press('Create Agreement');
    await asksFor('Capture your profile photo');
    await press('Switch front/back camera');
    const asked = await page.$$('aria/Capture[role="button"]');
    expect(asked).toHaveLength(1);
    await take(screen);
    await sees('Capture your eye photo');
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(MODAL);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await press('Create Agreement');
    await asksFor('Capture your eye photo');
    await take(screen);
    await sees(MODAL);
    await press('Cancel');
  });
});

it('[CAPTURE-032] the camera page encodes its JPEG with quality 0.8', async () => {
  await withScreen(world, { path: '/terms' }, async ({ page, goto, press, sees }) => {
    await page.evaluateOnNewDocument(watchPhotos);
    await goto('/camera');
    await press('Capture');
    await sees('Submit Photo');
    expect(await photoQualities(page)).toEqual([0.8]);
  });
});
