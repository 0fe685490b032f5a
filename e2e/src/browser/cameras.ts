import { faceImage } from '@karaar/testing/faces/faces';
import { until } from '@karaar/testing/until';
import type { Page } from 'puppeteer-core';

/** Returns pictures of a slightly moving person for `showToCamera`. */
export const frames = (look: Parameters<typeof faceImage>[0] = {}) =>
  Promise.all([0, 0.002].map((sway) => faceImage({ width: 640, height: 480, x: 0.5 + sway, ...look })));

export type Watched = { tracks: MediaStreamTrack[]; asked: MediaStreamConstraints[] };

/** Runs in the page: records each camera that it opens, with its constraints. */
export function watchCameras(): void {
  const seen: { tracks: MediaStreamTrack[]; asked: unknown[] } = { tracks: [], asked: [] };
  Object.assign(globalThis, { cameras: seen });
  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  devices.getUserMedia = async (constraints) => {
    seen.asked.push(constraints);
    const stream = await open(constraints);
    seen.tracks.push(...stream.getVideoTracks());
    return stream;
  };
}
export const running = (page: Page) =>
  page.evaluate(
    () =>
      (Reflect.get(globalThis, 'cameras') as Watched).tracks.filter((track) => track.readyState === 'live')
        .length,
  );
export const untilRunning = (page: Page, count: number): Promise<void> =>
  until(`${count} running cameras`, async () => (await running(page)) === count, 30_000);

/** Waits until the element with this text, or the image with this name, has the focus. */
export const focusIsOn = (page: Page, name: string): Promise<void> =>
  until(`the focus is on '${name}'`, async () => {
    const focused = await page.evaluate(() => {
      const { activeElement: here } = document;
      return here instanceof HTMLImageElement ? here.alt : (here?.textContent ?? '');
    });
    if (focused !== name) throw new Error(`it is on '${focused.slice(0, 100)}'`);
    return true;
  });

/** Runs in the page: records the quality of each JPEG that it makes. */
export function watchPhotos(): void {
  const made: unknown[] = [];
  Object.assign(globalThis, { made });
  const encode = HTMLCanvasElement.prototype.toBlob;
  HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
    if (type === 'image/jpeg') made.push(quality);
    encode.call(this, done, type, quality);
  };
}
export const photoQualities = (page: Page) =>
  page.evaluate(() => Reflect.get(globalThis, 'made') as unknown[]);
