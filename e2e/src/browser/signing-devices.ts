/** Virtual devices that create passkeys. */
import type { CDPSession } from 'puppeteer-core';
import { overflow } from '../../screens/camera.ts';
import type { Screen } from './screen.ts';

export type Device = { cdp: CDPSession; authenticatorId: string };

/** Gives the page a device with a fingerprint reader. */
export async function withDevice({ page }: Screen): Promise<Device> {
  const cdp = await page.createCDPSession();
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

export const recognises = ({ cdp, authenticatorId }: Device, isUserVerified: boolean) =>
  cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });

export async function addKey(screen: Screen, name: string): Promise<void> {
  const { page, press, fill, sees } = screen;
  await press('Add a passkey');
  await sees('First take a photo of your face.');
  await press('Capture');
  await press('Submit Photo');
  await fill('Name of the passkey', name);
  expect(await overflow(page)).toBe(0);
  await press('Create passkey');
  await sees('Passkey added');
  await sees(/not used yet/);
}
