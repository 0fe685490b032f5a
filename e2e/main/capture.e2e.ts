/** The camera page, with drawn faces as the camera's picture. */
import { jest } from '@jest/globals';
import {
  focusIsOn,
  frames,
  running,
  untilRunning,
  watchCameras,
  type Watched,
} from '../src/browser/cameras.ts';
import { follow, PHONE, WIDE, withScreen } from '../src/browser/opened.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const [chromium, without] = await Promise.all([openBrowser({ camera: await frames() }), openBrowser()]);
const world = { url: sharedProduct.url, browser: chromium.browser };

/** Opens the camera page after `prepare` has run in it. */
const onCameraPage = (prepare: () => void, look: (screen: Screen) => Promise<void>, of = world) =>
  withScreen(of, { path: '/terms' }, async (screen) => {
    await screen.page.evaluateOnNewDocument(prepare);
    await screen.goto('/camera');
    await look(screen);
  });

describe('the camera page', () => {
  it('takes a photo, shows it, takes it again, and releases the camera after the photo and after the page', async () => {
    await onCameraPage(watchCameras, async ({ page, press, sees }) => {
      // The second click of a double click on Capture lands on Submit Photo.
      await page.evaluate(() => {
        const named = () =>
          [...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Submit Photo');
        const watch = new MutationObserver(() => {
          if (named()) watch.disconnect();
          named()?.click();
        });
        watch.observe(document.body, { subtree: true, childList: true });
      });
      await press('Capture');
      await sees('Submit Photo');
      await untilRunning(page, 0);
      await focusIsOn(page, 'The photo you took');
      await press('Retake');
      await untilRunning(page, 1);
      await focusIsOn(page, 'Capture');
      await press('Capture');
      await press('Submit Photo');
      await sees('Your camera works.');
      const said = await page.$$eval('main [role=status]', (all) => all.map((each) => each.textContent));
      expect(said).toContain('Your camera works.');
      await sees(/profile_capture\.jpg · \d/);
      await press('Try again');
      await untilRunning(page, 1);
      // Inside the app, because a browser releases the cameras of a closed page anyway.
      await follow(page, '/terms');
      await untilRunning(page, 0);
    });
  });

  it('takes the photo automatically when the picture is steady, if the user chose that, and announces the countdown once', async () => {
    await onCameraPage(watchCameras, async ({ page, sees }) => {
      await sees('Good, stay like this');
      await page.evaluate(() => {
        const said: string[] = [];
        Object.assign(globalThis, { said });
        const status = document.querySelector('main [data-guide] [role=status]');
        const note = () => said.at(-1) !== status?.textContent && said.push(status?.textContent ?? '');
        const how = { subtree: true, childList: true, characterData: true };
        if (status) new MutationObserver(note).observe(status, how);
      });
      await page.click('input[type=checkbox]');
      await sees(/Photo in \d second/);
      await sees('Submit Photo');
      await untilRunning(page, 0);
      await focusIsOn(page, 'The photo you took');
      const said = await page.evaluate(() => Reflect.get(globalThis, 'said') as string[]);
      expect(said.filter((text) => !text.startsWith('Good'))).toEqual([
        'Photo in 3 seconds',
        'The photo you took',
      ]);
    });
  });

  it('finds the face in a worker, and asks an absent person to move to the middle', async () => {
    chromium.showToCamera(await frames({ count: 0 }));
    await onCameraPage(watchCameras, async ({ page, press, sees }) => {
      await sees('Move your face into the middle');
      expect(page.workers().map((worker) => worker.url())).toEqual([
        expect.stringMatching(/\/camera\.[0-9a-f]+\.js$/),
      ]);
      chromium.showToCamera(await frames());
      await press('Switch front/back camera');
      await sees('Good, stay like this');
    });
  });

  it('checks only light and sharpness where workers are not available', async () => {
    chromium.showToCamera(await frames({ count: 0 }));
    await onCameraPage(
      () => Object.assign(globalThis, { Worker: undefined }),
      async ({ sees }) => {
        await sees('Good, stay like this');
      },
    );
    chromium.showToCamera(await frames());
  });

  it.each([
    ['a phone held upright', PHONE],
    ['a phone on its side', { width: 844, height: 390 }],
    ['a desktop', WIDE],
  ])('shows the picture and Capture without scrolling on %s', async (_, viewport) => {
    await withScreen(world, { path: '/camera', viewport }, async ({ page, sees }) => {
      await sees('Good, stay like this');
      const places = await page.evaluate(() => {
        const video = document.querySelector('video');
        video?.scrollIntoView({ block: 'center' });
        const capture = [...document.querySelectorAll('button')].find(
          ({ textContent }) => textContent === 'Capture',
        );
        return [video, capture].map((element) => {
          const box = element?.getBoundingClientRect();
          return box && { top: box.top, bottom: box.bottom, left: box.left, right: box.right };
        });
      });
      for (const place of places) {
        expect(place?.top).toBeGreaterThanOrEqual(0);
        expect(place?.left).toBeGreaterThanOrEqual(0);
        expect(place?.bottom).toBeLessThanOrEqual(viewport.height);
        expect(place?.right).toBeLessThanOrEqual(viewport.width);
      }
    });
  });

  it('[CAPTURE-027] [CAPTURE-028] [CAPTURE-029] requests the front camera in its size, the back camera when switched, and stops the first camera', async () => {
    await onCameraPage(watchCameras, async ({ page, press }) => {
      await untilRunning(page, 1);
      await press('Switch front/back camera');
      await page.waitForFunction(() => (Reflect.get(globalThis, 'cameras') as Watched).asked.length === 2);
      await untilRunning(page, 1);
      const asked = await page.evaluate(() => (Reflect.get(globalThis, 'cameras') as Watched).asked);
      expect(asked.map(({ video }) => (video as MediaTrackConstraints).facingMode)).toEqual([
        'user',
        'environment',
      ]);
      for (const { video } of asked)
        expect(video).toMatchObject({ width: { ideal: 1280, min: 640 }, height: { ideal: 720, min: 480 } });
      await press('Capture');
      await press('Submit Photo');
    });
  });

  it('requests the next camera when switched if cameras have no side', async () => {
    await onCameraPage(watchCameras, async ({ page, press, sees }) => {
      await page.evaluate(() => {
        const devices = navigator.mediaDevices;
        const list = devices.enumerateDevices.bind(devices);
        const other = { kind: 'videoinput', deviceId: 'usb-2', label: 'USB' } as MediaDeviceInfo;
        devices.enumerateDevices = async () => [...(await list()), other];
      });
      await press('Switch front/back camera');
      await sees('Good, stay like this');
      await press('Switch front/back camera');
      await page.waitForFunction(() =>
        (Reflect.get(globalThis, 'cameras') as Watched).asked.some((each) =>
          JSON.stringify(each).includes('"deviceId":{"exact":"usb-2"}'),
        ),
      );
    });
  });

  it('releases the camera while the page is hidden, takes no photo, and starts again', async () => {
    await onCameraPage(watchCameras, async ({ page, sees }) => {
      await sees('Good, stay like this');
      const show = (state: string) =>
        page.evaluate((visible: string) => {
          Object.defineProperty(document, 'visibilityState', { value: visible, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }, state);
      await show('hidden');
      await untilRunning(page, 0);
      await sees('Starting the camera');
      await show('visible');
      await untilRunning(page, 1);
      expect(await running(page)).toBe(1);
    });
  });

  it('[ERROR-052] reports a camera that is unplugged while it is open, and starts again', async () => {
    await onCameraPage(watchCameras, async ({ page, press, sees, says }) => {
      await untilRunning(page, 1);
      await sees('Good, stay like this');
      await page.evaluate(() => {
        const devices = navigator.mediaDevices;
        const list = devices.enumerateDevices.bind(devices);
        devices.enumerateDevices = async () => {
          devices.enumerateDevices = list;
          return [];
        };
        // This event is the browser's only signal to the page.
        (Reflect.get(globalThis, 'cameras') as Watched).tracks[0]?.dispatchEvent(new Event('ended'));
      });
      await says('No camera found on your device. Please connect a camera and try again.');
      await untilRunning(page, 0);
      await press('Start the camera again');
      await untilRunning(page, 1);
    });
  });

  it('[ERROR-052] reports a missing camera', async () => {
    const nobody = { url: world.url, browser: without.browser };
    await onCameraPage(
      () => undefined,
      async ({ says }) => {
        await says('No camera found on your device. Please connect a camera and try again.');
      },
      nobody,
    );
  });

  it.each([
    [
      '[ERROR-051]',
      'NotAllowedError',
      'Camera access denied. Please allow camera permissions and try again.',
    ],
    [
      '[ERROR-053]',
      'NotReadableError',
      'Camera is already in use by another application. Please close other camera apps and try again.',
    ],
    [
      '[ERROR-057]',
      'AbortError',
      'Failed to access camera. Please ensure camera permissions are granted and camera is not being used by another application.',
    ],
  ])('%s explains a %s, and tries again on request', async (_, name, text) => {
    await withScreen(world, { path: '/terms' }, async ({ page, goto, press, sees, says }) => {
      await page.evaluateOnNewDocument((fault: string) => {
        const devices = navigator.mediaDevices;
        const open = devices.getUserMedia.bind(devices);
        devices.getUserMedia = async () => {
          throw new DOMException('refused', fault);
        };
        addEventListener('free', () => (devices.getUserMedia = open));
      }, name);
      await goto('/camera');
      await says(text);
      await page.evaluate(() => dispatchEvent(new Event('free')));
      await press('Start the camera again');
      await press('Capture');
      await sees('Submit Photo');
    });
  });

  it('[ERROR-054] tries again with basic settings when the camera cannot keep the others', async () => {
    await onCameraPage(
      () => {
        const devices = navigator.mediaDevices;
        const open = devices.getUserMedia.bind(devices);
        const asked: unknown[] = [];
        Object.assign(globalThis, { asked });
        devices.getUserMedia = async (constraints) => {
          asked.push(constraints);
          if (asked.length === 1) throw new DOMException('width', 'OverconstrainedError');
          return open(constraints);
        };
      },
      async ({ page, press, sees }) => {
        await press('Capture');
        await sees('Submit Photo');
        const asked = await page.evaluate(() => Reflect.get(globalThis, 'asked') as unknown[]);
        expect(asked).toEqual([expect.objectContaining({ audio: false }), { audio: false, video: true }]);
        expect(asked[0]).toHaveProperty('video.width');
      },
    );
  });

  it('[ERROR-056] reports a browser without camera support', async () => {
    await onCameraPage(
      () => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }),
      async ({ says }) => {
        await says('Camera access not supported in this browser');
      },
    );
  });

  it('[CAPTURE-030] [ERROR-055] reports a stream without frames after 1.5 s, and shows late frames', async () => {
    await onCameraPage(
      () => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [640, 480];
        navigator.mediaDevices.getUserMedia = async () => {
          const opened = performance.now();
          new MutationObserver((_, watch) => {
            if (!document.querySelector('[role=alert]')) return;
            watch.disconnect();
            Object.assign(globalThis, { waited: performance.now() - opened });
          }).observe(document.body, { subtree: true, childList: true });
          return canvas.captureStream();
        };
        addEventListener('frames', () =>
          setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, 640, 480), 50),
        );
      },
      async ({ page, press, sees, says }) => {
        await says(
          'Camera stream is active but no frames received. Try switching camera or upload from device.',
        );
        const waited = await page.evaluate(() => Number(Reflect.get(globalThis, 'waited')));
        expect(waited).toBeGreaterThanOrEqual(1_490);
        expect(waited).toBeLessThan(4_000);
        await page.evaluate(() => dispatchEvent(new Event('frames')));
        await press('Capture');
        await sees('Submit Photo');
      },
    );
  });
});
