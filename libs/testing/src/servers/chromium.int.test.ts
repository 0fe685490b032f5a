/// <reference lib="dom" />
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import sharp from 'sharp';
import { launchChromium } from './chromium.ts';

/** A page may use the camera only on a secure origin, such as loopback. */
async function servePage(): Promise<{ url: string; server: Server }> {
  const server = createServer((_req, res) =>
    res.setHeader('content-type', 'text/html').end('<video autoplay muted></video>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** Runs in the page: returns the colour in the middle of the camera's picture. */
async function cameraColour(): Promise<number[]> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: true });
  const video = document.querySelector('video');
  if (video === null) throw new Error('no video');
  video.srcObject = stream;
  await new Promise((resolve) => video.addEventListener('playing', resolve, { once: true }));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  const pen = canvas.getContext('2d');
  pen?.drawImage(video, 0, 0);
  const colour = pen?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [];
  for (const track of stream.getTracks()) track.stop();
  return [...colour].slice(0, 3);
}

describe('launchChromium', () => {
  it('shows pages the given pictures as its camera, and other ones later', async () => {
    const { url, server } = await servePage();
    const chromium = await launchChromium({ camera: [await picture('#c01010')] });
    try {
      const page = await chromium.browser.newPage();
      await page.goto(url);
      const [red = 0, green = 0] = await page.evaluate(cameraColour);
      expect(red).toBeGreaterThan(150);
      expect(green).toBeLessThan(80);

      chromium.showToCamera([await picture('#10c010')]);
      await page.reload();
      const [redThen = 0, greenThen = 0] = await page.evaluate(cameraColour);
      expect(greenThen).toBeGreaterThan(150);
      expect(redThen).toBeLessThan(80);
    } finally {
      await chromium.close();
      server.close();
    }
  });

  it('removes its profile and its temporary files', async () => {
    const chromium = await launchChromium();
    const given = chromium.browser.process()?.spawnargs.find((each) => each.startsWith('--user-data-dir='));
    const profile = dirname(String(given?.slice('--user-data-dir='.length)));
    const inside = readdirSync(profile);
    await chromium.close();
    expect(inside.map((name) => name.replace(/\.\w{6}$/, ''))).toEqual(
      expect.arrayContaining(['user-data', 'org.chromium.Chromium']),
    );
    expect(existsSync(profile)).toBe(false);
  });
});
