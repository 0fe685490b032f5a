/** A failing camera or clock of the device: the app names the cause and the remedy, and everything else works. */
import { jest } from '@jest/globals';
import { frames, untilRunning, watchCameras, type Watched } from '../src/browser/cameras.ts';
import { startFront } from '../src/browser/front.ts';
import { heading, stored, withScreen } from '../src/browser/opened.ts';
import type { Screen } from '../src/browser/screen.ts';
import { say, seesBubble, threadOf } from '../src/chat.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { url } = sharedProduct;
const world = await openBrowser({ camera: await frames() });
const front = await startFront(url);
const owner = await newPerson(url, 'Asha Rao');
const guest = await newPerson(url, 'Vikram Shah');
afterAll(() => front.close());

describe('a camera', () => {
  /** Opens the camera page after `change` has run in it. */
  const onCameraPage = (change: () => void, look: (screen: Screen) => Promise<void>) =>
    withScreen(world, { path: '/terms' }, async (screen) => {
      await screen.page.evaluateOnNewDocument(watchCameras);
      await screen.page.evaluateOnNewDocument(change);
      await screen.goto('/camera');
      await look(screen);
    });

  it('[ERROR-051] without a permission is reported as denied, with instructions', async () => {
    const denies = () => {
      navigator.permissions.query = async () => ({ state: 'denied' }) as PermissionStatus;
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('Permission denied', 'NotAllowedError');
      };
    };
    await onCameraPage(denies, async ({ sees }) => {
      await sees('Camera access denied. Please allow camera permissions and try again.');
      await sees('Press the icon to the left of the address, allow the camera for this page there');
    });
  });

  it('[ERROR-051] whose permission is withdrawn is reported as denied, not as missing', async () => {
    await onCameraPage(
      () => undefined,
      async ({ page, sees }) => {
        await sees('Good, stay like this');
        await page.evaluate(() => {
          navigator.permissions.query = async () => ({ state: 'denied' }) as PermissionStatus;
          // A browser lists cameras without ids if it has no permission.
          navigator.mediaDevices.enumerateDevices = async () => [
            { kind: 'videoinput', deviceId: '', label: '' } as MediaDeviceInfo,
          ];
          (Reflect.get(globalThis, 'cameras') as Watched).tracks[0]?.dispatchEvent(new Event('ended'));
        });
        await sees('Camera access denied.');
        await untilRunning(page, 0);
      },
    );
  });

  it('that a phone call interrupts gives no photo until its picture is back', async () => {
    await onCameraPage(
      () => undefined,
      async ({ page, press, sees, gone }) => {
        await sees('Good, stay like this');
        const tell = (type: string) =>
          page.evaluate((event: string) => {
            (Reflect.get(globalThis, 'cameras') as Watched).tracks[0]?.dispatchEvent(new Event(event));
          }, type);
        await tell('mute');
        await sees('The camera sends no picture just now');
        expect(await page.$('aria/Capture[role="button"]')).toBeNull();
        await tell('unmute');
        await gone('The camera sends no picture just now');
        await press('Capture');
        await sees('Submit Photo');
      },
    );
  });

  it('whose picture waits for a press is not reported as denied', async () => {
    const waitsOnce = () => {
      const { prototype } = HTMLMediaElement;
      const { play } = prototype;
      prototype.play = async function () {
        prototype.play = play;
        throw new DOMException('play() failed', 'NotAllowedError');
      };
    };
    await onCameraPage(waitsOnce, async ({ page, press, sees, gone }) => {
      await sees('The browser did not start the live picture by itself.');
      await press('Start the camera again');
      await gone('The browser did not start');
      await untilRunning(page, 1);
      await press('Capture');
      await sees('Submit Photo');
    });
  });
});

describe('a clock', () => {
  const DAY_MS = 86_400_000;
  /** Runs in the page before the app: shifts the device's clock. */
  function shift(ms: number): void {
    const Real = Date;
    class Shifted extends Real {
      constructor(...given: [] | [number]) {
        super(...((given.length === 0 ? [Real.now() + ms] : given) as [number]));
      }
      static override now(): number {
        return Real.now() + ms;
      }
    }
    globalThis.Date = Shifted as DateConstructor;
  }
  const withClock = (ms: number, path: string, look: (screen: Screen) => Promise<void>, as = owner) =>
    withScreen(world, { path: '/terms', as }, async (screen) => {
      await screen.page.evaluateOnNewDocument(shift, ms);
      await screen.goto(path);
      await look(screen);
    });

  it.each([
    ['three days ahead', 3 * DAY_MS, '3 days'],
    ['years behind', -800 * DAY_MS, '800 days'],
    ['in another time zone', 5.5 * 3_600_000, '6 hours'],
  ])('that is %s is reported, and ends neither the session nor the connection', async (_, ms, words) => {
    await withClock(ms, '/dashboard', async ({ page, press, sees, gone, settled }) => {
      await heading(page, 'Dashboard');
      await sees(`The clock of this device is wrong by about ${words}.`);
      await press('Understood');
      await gone('The clock of this device');
      await settled();
      expect(await page.evaluate(() => document.body.innerText)).not.toMatch(/offline|signed out/i);
      expect(await stored(page)).toHaveProperty('token', owner.token);
    });
  });

  it('that is five minutes wrong is not reported', async () => {
    await withClock(5 * 60_000, '/dashboard', async ({ page, settled }) => {
      await heading(page, 'Dashboard');
      await settled();
      expect(await page.evaluate(() => document.body.innerText)).not.toContain('The clock');
    });
  });

  it.each([
    ['ahead', 3 * DAY_MS],
    ['behind', -3 * DAY_MS],
  ])('that is days %s does not change “Today”', async (_, ms) => {
    await say(guest, owner, 'Written just now');
    await withClock(ms, threadOf(owner, guest).path, async ({ page, sees }) => {
      await seesBubble(page, 'Written just now');
      await sees('Today');
    });
  });

  it.each([
    ['ahead', 3 * DAY_MS],
    ['behind', -40 * DAY_MS],
  ])('that is days %s does not change the day that the calendar marks', async (_, ms) => {
    await withClock(ms, '/document/create?step=terms', async ({ page, press, sees, settled }) => {
      await settled();
      await press('Choose a day: Start date');
      await sees('Sun');
      const marked = await page.$$eval('[aria-current="date"]', (days) => days.map((day) => day.ariaLabel));
      const inWords = { day: 'numeric', month: 'long', year: 'numeric' } as const;
      const india = new Intl.DateTimeFormat('en-IN', { ...inWords, timeZone: 'Asia/Kolkata' });
      expect(marked).toEqual([expect.stringContaining(india.format(new Date()))]);
    });
  });

  it('that is behind is named as the cause of failing secure connections', async () => {
    const there = { ...world, url: front.url };
    await withScreen(there, { path: '/about', as: owner, worker: true }, async (screen) => {
      const { page, sees, goto } = screen;
      await heading(page, 'About Us');
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.waitForFunction(async () => (await (await caches.open('files-1')).keys()).length >= 8, {
        polling: 200,
      });
      await page.waitForNetworkIdle();
      await page.evaluateOnNewDocument(shift, -400 * DAY_MS);
      await front.goAway();
      await goto('/about');
      await sees('Karaar cannot be reached. The clock of this device is behind');
      expect(await page.evaluate(() => document.body.innerText)).not.toContain('You are offline');
      await front.comeBack();
    });
  });
});
