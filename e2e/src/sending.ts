/** Two users in browsers with cameras, one of whom sends files with an agreement. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '@karaar/testing/servers/chromium';
import { faceImage } from '@karaar/testing/faces/faces';
import { PHONE } from './browser/opened.ts';
import type { Screen } from './browser/screen.ts';
import { signedIn, type SignedIn } from './signed-in.ts';
import { photographAndSign } from './verifying.ts';

export type Sending = Awaited<ReturnType<typeof startSending>>;

export async function startSending(url: string, files: Record<string, Uint8Array>) {
  const camera = await Promise.all([0.5, 0.502].map((x) => faceImage({ width: 1280, height: 720, x })));
  const [one, two] = await Promise.all([launchChromium({ camera }), launchChromium({ camera })]);
  const [onPhone, onDesktop] = await Promise.all([
    signedIn(one.browser, url, 'Meera Nair', PHONE),
    signedIn(two.browser, url, 'Vikram Shah', { width: 1440, height: 900 }),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'sending-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return {
    onPhone,
    onDesktop,
    begin: async ({ screen }: SignedIn, to: SignedIn, name: string) => {
      await screen.goto('/document/create');
      await screen.sees('Create Agreement');
      await screen.fill('Document name', name);
      await screen.press('People');
      await screen.fill('User ID of the other party', to.person.charId);
      await screen.press('Document');
    },
    choose: (screen: Screen, file: string) =>
      screen.upload('input[name=raw_documents]', [join(folder, file)]),
    /** Verifies and creates. @returns the path of the agreement's page */
    create: async (screen: Screen) => {
      await screen.press('Sign');
      await screen.press('Capture Now: Profile photo');
      await photographAndSign(screen);
      await screen.press('Complete Verification');
      await screen.isAt(/^\/document\/[0-9a-f-]{36}$/);
      return new URL(screen.page.url()).pathname;
    },
    close: async () => {
      await Promise.all([one, two].map((browser) => browser.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
