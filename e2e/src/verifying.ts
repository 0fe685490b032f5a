import type { Screen } from './browser/screen.ts';

/** Takes both photos and signs, from the open camera dialog on; the caller completes the verification. */
export async function photographAndSign(screen: Screen): Promise<void> {
  for (const photo of ['profile', 'eye']) {
    await screen.sees(`Capture your ${photo} photo`);
    await screen.press('Capture');
    await screen.press('Submit Photo');
  }
  await screen.sees('Document Verification Required');
  await screen.sign();
  await screen.press('Save Signature');
}
