/** Browsers and folders of one journey, which end with its last test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './browser/engine.ts';
import { sharedProduct } from './shared-product/index.ts';

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(ends.map((end) => end()));
}, 60_000);

/** Starts a browser. A journey has one for each page that has to paint: only the front page of a browser does. */
export async function openBrowser(...options: Parameters<typeof launch>) {
  const { browser, showToCamera, close } = await launch(...options);
  ends.push(close);
  return { url: sharedProduct.url, browser, showToCamera };
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-e2e-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
