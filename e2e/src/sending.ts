/** Two users in browsers with cameras, one of whom sends files with an agreement. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { frames } from './browser/cameras.ts';
import { PHONE, WIDE } from './browser/opened.ts';
import type { Screen } from './browser/screen.ts';
import { signedIn, type SignedIn } from './signed-in.ts';
import { newFolder, openBrowser } from './test-file.ts';
import { photographAndSign } from './verifying.ts';

export async function startSending(files: Record<string, Uint8Array>) {
  const camera = await frames({ width: 1280, height: 720 });
  const [one, two] = await Promise.all([openBrowser({ camera }), openBrowser({ camera })]);
  const [onPhone, onDesktop] = await Promise.all([
    signedIn(one.browser, one.url, 'Meera Nair', PHONE),
    signedIn(two.browser, two.url, 'Vikram Shah', WIDE),
  ]);
  const folder = await newFolder();
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
  };
}
