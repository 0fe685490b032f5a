/** What a page's camera shows, and which cameras a page has opened and still runs. */
import { faceImage } from '@karaar/testing/faces/faces';
import type { Page } from 'puppeteer-core';

/** Pictures of a person who sways a little, for `showToCamera`. */
export const frames = (look: Parameters<typeof faceImage>[0] = {}) =>
  Promise.all([0, 0.002].map((sway) => faceImage({ width: 640, height: 480, x: 0.5 + sway, ...look })));

/** Remembers every camera that the page opens, and how it was asked for. */
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
export type Watched = { tracks: MediaStreamTrack[]; asked: MediaStreamConstraints[] };
export const running = (page: Page) =>
  page.evaluate(
    () =>
      (Reflect.get(globalThis, 'cameras') as Watched).tracks.filter((track) => track.readyState === 'live')
        .length,
  );
export const untilRunning = async (page: Page, count: number): Promise<void> => {
  const wait = page.waitForFunction(
    (wanted: number) =>
      (Reflect.get(globalThis, 'cameras') as Watched).tracks.filter((track) => track.readyState === 'live')
        .length === wanted,
    {},
    count,
  );
  await wait.catch(async (cause: unknown) => {
    const text = await page.evaluate(() => document.body.innerText);
    throw new Error(`not ${count} but ${await running(page)} cameras run; the page says:\n${text}`, {
      cause,
    });
  });
};

/** Waits until the focus is on what has this text or this picture's name. */
export const focusIsOn = async (page: Page, name: string): Promise<void> => {
  const nameOf = () =>
    page.evaluate(() => {
      const { activeElement: here } = document;
      return here instanceof HTMLImageElement ? here.alt : (here?.textContent ?? '').slice(0, 100);
    });
  const wait = page.waitForFunction(
    (wanted: string) => {
      const { activeElement: here } = document;
      return (here instanceof HTMLImageElement ? here.alt : here?.textContent) === wanted;
    },
    {},
    name,
  );
  await wait.catch(async (cause: unknown) => {
    throw new Error(`the focus is not on '${name}' but on '${await nameOf()}'`, { cause });
  });
};

/** Remembers the quality of every JPEG that the page makes. */
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
