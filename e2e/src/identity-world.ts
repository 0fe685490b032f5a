/** What the journeys about one's own identity stand on: a browser on the shared product, and a picture of an ID card. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { idCardPng } from '@karaar/testing/faces/faces';
import { codeTo } from './browser/api-calls.ts';
import type { World } from './browser/opened.ts';
import { sharedProduct } from './shared-product/index.ts';

export const DESKTOP = { width: 1440, height: 900 };
/** The field of the government ID image. */
export const ID_IMAGE = 'input[name=govt_id_image]';

export type IdentityWorld = {
  world: World;
  /** Path of a picture of an ID card. */
  idCard: string;
  /** The newest code that this phone got. */
  codeTo: (phone: string) => Promise<string>;
};

/** Made before the tests of the file that calls it and removed after them; filled when the first test runs. */
export function identityWorld(): IdentityWorld {
  const made = { codeTo: (phone: string) => codeTo(sharedProduct.url, phone) } as IdentityWorld;
  let chromium: TestBrowser;
  let folder: string;
  beforeAll(async () => {
    chromium = await launchChromium();
    folder = await mkdtemp(join(tmpdir(), 'karaar-identity-'));
    made.world = { url: sharedProduct.url, browser: chromium.browser };
    made.idCard = join(folder, 'id.png');
    await writeFile(made.idCard, await idCardPng());
  }, 120_000);
  afterAll(async () => {
    await chromium.close();
    await rm(folder, { recursive: true, force: true });
  });
  return made;
}
