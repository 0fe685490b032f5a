import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { idCardPng } from '@karaar/testing/faces/faces';
import { codeTo } from './browser/api-calls.ts';
import type { World } from './browser/opened.ts';
import { sharedProduct } from './shared-product/index.ts';

export const DESKTOP = { width: 1440, height: 900 };
export const ID_IMAGE = 'input[name=govt_id_image]';

/** Registers Jest hooks that open and close the world; its `world` and `idCard` exist once the first test runs. */
export function identityWorld() {
  const { url } = sharedProduct;
  const made = { codeTo: (phone: string) => codeTo(url, phone) } as {
    world: World;
    /** Path of the picture. */
    idCard: string;
    codeTo: (phone: string) => Promise<string>;
  };
  let chromium: TestBrowser;
  let folder: string;
  beforeAll(async () => {
    chromium = await launchChromium();
    folder = await mkdtemp(join(tmpdir(), 'karaar-identity-'));
    made.world = { url, browser: chromium.browser };
    made.idCard = join(folder, 'id.png');
    await writeFile(made.idCard, await idCardPng());
  }, 120_000);
  afterAll(async () => {
    await chromium.close();
    await rm(folder, { recursive: true, force: true });
  });
  return made;
}
