/** An admin's passkeys in a browser with a virtual authenticator. */
import { jest } from '@jest/globals';
import { adminScreen, newAdmin, stored } from '../src/admins.ts';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { openScreen, type Screen } from '../src/browser/screen.ts';
import { overflow } from '../screens/camera.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { recognises, withDevice } from '../src/browser/signing-devices.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { browser } = await openBrowser();

async function password({ fill, press }: Screen, admin: { username: string; password: string }) {
  await fill('Username', admin.username);
  await fill('Password', admin.password);
  await press('Sign in');
}

it.each([
  ['a desktop', WIDE],
  ['a phone', PHONE],
])(
  'a passkey is added on %s, required from then on, refused for another finger or device, and replaced when it is lost',
  async (_, viewport) => {
    const admin = await newAdmin('support');
    const screen = await adminScreen(browser, admin, viewport);
    const { page, goto, press, fill, sees, isAt } = screen;
    const device = await withDevice(screen);
    await goto('/admin/security');
    await sees('You have no passkey yet.');
    await press('Add a passkey');
    await fill('Name of the passkey', 'Laptop');
    await fill('Your password', admin.password);
    await page.keyboard.press('Enter');
    await sees('Your recovery codes');
    const codes = await page.$$eval('main ul[translate=no] li', (all) => all.map((each) => each.innerText));
    expect(codes).toHaveLength(10);
    expect(await overflow(page)).toBe(0);
    await press('I have written them down');
    await sees('not used yet');
    expect(await overflow(page)).toBe(0);
    await page.evaluate(() => localStorage.removeItem('admin_token'));

    // Another finger is refused; the owner's is accepted right after it.
    await goto('/admin/login');
    await recognises(device, false);
    await password(screen, admin);
    await sees('The passkey was not used.');
    expect(await stored(page, 'admin_token')).toBeNull();
    expect(await overflow(page)).toBe(0);
    await recognises(device, true);
    await press('Use your passkey');
    await isAt(/^\/admin\/(users|overview)$/);
    expect(await stored(page, 'admin_token')).toEqual(expect.any(String));

    // The password without a device gives no access.
    const thief = await openScreen(browser, sharedProduct.url, viewport);
    await withDevice(thief);
    await thief.goto('/admin/login');
    await password(thief, admin);
    await thief.sees('The passkey was not used.');
    await thief.press('I have lost my passkey');
    await thief.fill('Recovery code', 'AAAAA-AAAAA');
    await thief.press('Sign in');
    await thief.sees('This code is wrong');
    expect(await stored(thief.page, 'admin_token')).toBeNull();
    await thief.close();

    // The owner signs in on a new device with a recovery code.
    const fresh = await openScreen(browser, sharedProduct.url, viewport);
    await withDevice(fresh);
    await fresh.goto('/admin/login');
    await password(fresh, admin);
    await fresh.press('I have lost my passkey');
    await fresh.fill('Recovery code', codes[0] ?? '');
    await fresh.press('Sign in');
    await fresh.fill('Name of the passkey', 'New laptop');
    expect(await overflow(fresh.page)).toBe(0);
    await fresh.press('Add a passkey');
    await fresh.isAt(/^\/admin\/(users|overview)$/);
    await fresh.goto('/admin/security');
    await fresh.sees('9 recovery codes are left');
    await fresh.press('Remove: Laptop');
    await fresh.fill('Your password', admin.password);
    await fresh.page.keyboard.press('Enter');
    await fresh.sees('Passkey removed');
    await fresh.press('Make new codes');
    await fresh.fill('Your password', admin.password);
    await fresh.page.keyboard.press('Enter');
    await fresh.sees('Your recovery codes');
    await fresh.close();

    // The passkey of the removed device is refused.
    await page.evaluate(() => localStorage.removeItem('admin_token'));
    await goto('/admin/login');
    await password(screen, admin);
    await sees('The passkey was not used.');
    await screen.close();
  },
);
