/** A user's browser watches the public log of passkeys: a key planted by an insider, and a rewritten log. */
import { randomBytes, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { keyHash, userTag } from '@karaar/proof/approval/key-entry';
import { Authenticator } from '@karaar/proof/testing/authenticator';
import { until } from '@karaar/testing/until';
import { overflow } from '../screens/camera.ts';
import { inDatabase } from '../src/database.ts';
import { frames } from '../src/browser/cameras.ts';
import { PHONE, WIDE, withScreen } from '../src/browser/opened.ts';
import type { Screen } from '../src/browser/screen.ts';
import { newPerson, type Person } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { addKey, withDevice } from '../src/browser/signing-devices.ts';
import { openBrowser } from '../src/test-file.ts';
import { listIn } from '@karaar/testing/list-in';

jest.setTimeout(240_000);

const UNKNOWN = /A passkey was added on .+ that this device does not know\. Was it you\?/;
const ALARM = 'Your passkeys need your attention';
const ALL_KNOWN = /This device checked the public log on .+: every passkey in it is yours\./;
const world = await openBrowser({ camera: await frames() });

/** Inserts an insider's key into the user's list and the log, without a notification. */
async function plant(person: Person): Promise<void> {
  const device = new Authenticator();
  const id = randomUUID();
  const { postgresUrl } = sharedProduct;
  await inDatabase(
    postgresUrl,
    'documents',
    `INSERT INTO signing_keys
         (id, user_id, name, credential_id, public_key, counter, transports, synced, photo_sha256)
       VALUES ($1, $2, 'Planted', $3, $4, 0, '{}', false, repeat('a', 64))`,
    [id, person.userId, device.credentialId, Buffer.from(device.publicKey)],
  );
  await inDatabase(
    postgresUrl,
    'documents',
    `INSERT INTO signing_key_entries (id, key_id, action, user_tag, key_sha256, at)
       VALUES (gen_random_uuid(), $1, 'added', $2, $3, $4)`,
    [id, userTag(person.userId), keyHash(device.publicKey), new Date().toISOString()],
  );
  await until('the log has it', async () => {
    const { body } = await person.call('GET', '/documents/signing-keys');
    return listIn<{ name: string; logged: boolean }>(body).some(
      ({ name, logged }) => name === 'Planted' && logged,
    );
  });
}

/** The device asks about a planted key, which the user removes. */
async function removesPlanted(screen: Screen, owner: Person): Promise<void> {
  const { page, goto, press, sees } = screen;
  await withDevice(screen);
  await sees('You have no passkey for signing yet.');
  await addKey(screen, 'Laptop');
  await sees(ALL_KNOWN);

  await plant(owner);
  await goto('/profile');
  await sees(UNKNOWN);
  expect(await overflow(page)).toBe(0);
  await goto('/dashboard');
  await sees(ALARM);
  expect(await overflow(page)).toBe(0);
  await press('Open profile', 'link');
  await press('No, remove it');
  await sees(/You did not add the passkey of .+ Contact support now/);
  await page.waitForFunction(() => !document.querySelector('[aria-label="Remove Planted"]'));
  await press('I have told support');
  await sees(ALL_KNOWN);
}

/** Gives the device the memory of a different log of the same length. */
async function namesRewritten({ page, goto, press, sees }: Screen, owner: Person): Promise<void> {
  const root = randomBytes(32).toString('base64');
  await page.evaluate(
    (key: string, other: string) => {
      const kept = JSON.parse(localStorage.getItem(key) ?? '') as { memory: { root: string } };
      kept.memory.root = other;
      localStorage.setItem(key, JSON.stringify(kept));
    },
    `key-watch:${userTag(owner.userId)}`,
    root,
  );
  await goto('/profile');
  await sees('The public log of passkeys has changed in a way that must not happen.');
  await goto('/dashboard');
  await sees(ALARM);
  await goto('/profile');
  await press('Check from the beginning');
  await sees('Do this only after support has explained the change.');
  await page.waitForSelector('[role=dialog]');
  await page.$$eval('[role=dialog] button', (buttons) =>
    buttons.find(({ textContent }) => textContent === 'Check from the beginning')?.click(),
  );
  await sees(ALL_KNOWN);
}

it('asks about a planted key, which the user removes, on a desktop', async () => {
  const owner = await newPerson(world.url, 'Asha Rao');
  const viewport = WIDE;
  await withScreen(world, { path: '/profile', as: owner, viewport }, (screen) =>
    removesPlanted(screen, owner),
  );
});

it('asks about a planted key on a phone, reports a rewritten log, and asks on another device', async () => {
  const owner = await newPerson(world.url, 'Asha Rao');
  await withScreen(world, { path: '/profile', as: owner, viewport: PHONE }, async (screen) => {
    await removesPlanted(screen, owner);
    await namesRewritten(screen, owner);
  });

  // A new device knows none of the keys, and asks on its first screen.
  await withScreen(world, { path: '/dashboard', as: owner, viewport: PHONE }, async (screen) => {
    await screen.sees(ALARM);
    await screen.press('Open profile', 'link');
    await screen.sees(UNKNOWN);
    await screen.sees(/was added on .+ and removed on .+\. Was it you\?/);
    await screen.press('Yes, it was me');
    await screen.gone('that this device does not know. Was it you?');
    await screen.press('No, it was not me');
    await screen.press('I have told support');
    await screen.sees(ALL_KNOWN);
  });
});
