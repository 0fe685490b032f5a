import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { overflow } from '../screens/camera.ts';
import { asked, callsOf } from '../src/browser/api-calls.ts';
import { ID_IMAGE, identityWorld } from '../src/identity-world.ts';
import { heading, PHONE, stored, WIDE, withScreen } from '../src/browser/opened.ts';
import { newAdmin } from '../src/admins.ts';
import { topUp } from '../src/journey.ts';
import { fetchPatiently } from '../src/patience.ts';
import { freshPhone, newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { toastIs } from '../src/browser/toasts.ts';

jest.setTimeout(90_000);

const here = await identityWorld();
/** Formats a number as the screen does: +91 98765 43210. */
const written = (phone: string) => `+91 ${phone.slice(3, 8)} ${phone.slice(8)}`;

/** Confirms with a code sent to the current number. */
async function confirmByNumber(screen: Screen, phone: string): Promise<void> {
  await screen.press('Send code');
  await screen.sees('Code sent to your present number.');
  await screen.fill('Code from your present number', await here.codeTo(phone));
  await screen.press('Confirm');
}

/** Proves a new number by its code and asks to use it. */
async function enterNewNumber(screen: Screen, to: string): Promise<void> {
  await screen.fill('New phone number', to.slice(3));
  await screen.press('Send OTP');
  await screen.sees(/Send again in \d+ s/);
  await screen.fill('One-time code (OTP)', await here.codeTo(to));
  await screen.press('Use this number');
  await screen.sees('Confirm with your phone number');
}

describe('Profile', () => {
  let person: Person;
  beforeAll(async () => {
    person = await newPerson(here.world.url, 'Farida Khan');
  }, 60_000);

  it('[PROFILE-001] [PROFILE-002] [PROFILE-003] [PROFILE-004] [PROFILE-005] [AUTH-035] shows, refreshes, edits and saves the user’s record', async () => {
    await withScreen(here.world, { path: '/profile', as: person, viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Profile');
      for (const text of [
        'Farida Khan',
        `${person.phone.slice(1)}@example.org`,
        written(person.phone),
        'Pune',
        'Maharashtra',
        'PAN',
        'ABCDE1234F',
      ])
        await screen.sees(text);
      await page.waitForSelector('main img[alt="Your government ID image"]');
      const calls = callsOf(page);
      await screen.press('Refresh');
      await toastIs(page, 'Profile refreshed successfully!');
      expect(asked(calls, 'GET /api/users/profile').length).toBeGreaterThan(0);

      await screen.press('Edit');
      // A blank name is not saved.
      await screen.fill('Name', '   ');
      await screen.press('Save Changes');
      expect(await page.$eval('main form', (form) => form.checkValidity())).toBe(false);
      expect(asked(calls, 'PUT /api/users/profile')).toEqual([]);
      await screen.fill('Name', 'Farida Begum');
      await screen.fill('City', 'Mysuru');
      await screen.upload(ID_IMAGE, [here.idCard]);
      await page.waitForSelector('main figure img', { visible: true });
      const before = await page.$eval('main figure img', (image) => (image as HTMLImageElement).src);
      expect(before).toContain('blob:');
      await screen.press('Save Changes');
      await toastIs(page, 'Profile updated successfully');
      await screen.says('Mysuru');
      expect(asked(calls, 'PUT /api/users/profile')).toHaveLength(1);
      // The layout shows the new name at once, and storage keeps it.
      await screen.sees('Welcome, Farida Begum');
      expect(JSON.parse((await stored(page))['user'] ?? '')).toMatchObject({ name: 'Farida Begum' });
      expect((await person.call('GET', '/users/profile')).body).toMatchObject({
        city: 'Mysuru',
        state: 'Maharashtra',
      });
    });
  });

  it('changes the number with two codes, one sent to the new number and one to the current one', async () => {
    const to = freshPhone();
    const from = person.phone;
    await withScreen(here.world, { path: '/profile', as: person, viewport: WIDE }, async (screen) => {
      await heading(screen.page, 'Profile');
      await screen.press('Change number');
      await screen.fill('New phone number', '12345');
      await screen.press('Send OTP');
      await screen.sees('Enter a valid 10-digit phone number');
      await enterNewNumber(screen, to);
      await screen.sees(`New phone number ${written(to)}`);
      // Cancelling one form does not close the other.
      await screen.page.keyboard.press('Escape');
      await screen.sees('Not confirmed. Nothing was done.');
      await screen.press('Use this number');
      await confirmByNumber(screen, from);
      await screen.sees('Your phone number has been changed. Your other devices were signed out.');
      await screen.sees(written(to));
      person.phone = to;
    });
  });

  it.each([
    [390, PHONE],
    [1440, WIDE],
  ])('starts the move from a lost number, which the user can cancel, at %i px', async (_, viewport) => {
    const to = freshPhone();
    await withScreen(here.world, { path: '/profile', as: person, viewport }, async (screen) => {
      await heading(screen.page, 'Profile');
      await screen.press('Change number');
      await enterNewNumber(screen, to);
      expect(await overflow(screen.page)).toBe(0);
      await screen.press('I no longer have this number');
      await screen.sees(`Without a code from ${written(person.phone)}`);
      expect(await overflow(screen.page)).toBe(0);
      await screen.press('Start waiting time');
      await screen.sees(`Your account gets the number ${written(to)} after`);
      expect(await overflow(screen.page)).toBe(0);
      await screen.press('Keep my present number');
      await screen.sees('Your account keeps its present number.');
      await screen.gone(`Your account gets the number ${written(to)} after`);
      await screen.sees(written(person.phone));
    });
  });

  it('switches text messages about documents off and on', async () => {
    const wanted = async () => (await person.call('GET', '/documents/notice-settings')).body['sms_notices'];
    await withScreen(here.world, { path: '/profile', as: person, viewport: PHONE }, async (screen) => {
      await heading(screen.page, 'Profile');
      await screen.press('SMS for invitations and reminders', 'switch');
      await screen.sees('SMS for invitations and reminders are off.');
      expect(await wanted()).toBe(false);
      await screen.page.reload();
      await screen.page.waitForSelector('input[role=switch]:not(:checked):enabled');
      await screen.press('SMS for invitations and reminders', 'switch');
      await screen.sees('SMS for invitations and reminders are on.');
      expect(await wanted()).toBe(true);
    });
  });

  it('exports the user’s data, lists devices, and signs out everywhere', async () => {
    await withScreen(here.world, { path: '/profile', as: person, viewport: WIDE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Profile');
      const [exported] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/api/users/profile/export')),
        screen.press('Download my data'),
      ]);
      expect(exported.headers()['content-type']).toBe('application/zip');
      await screen.sees('This device');
      await screen.press('Sign out everywhere');
      await screen.sees('Every device is signed out, including this one.');
      await page.keyboard.press('Escape');
      expect((await person.call('GET', '/users/profile')).status).toBe(200);
      await screen.press('Sign out everywhere');
      await page.waitForSelector('[role=dialog] button', { visible: true });
      await page.$$eval('[role=dialog] button', (all) =>
        all.find((each) => each.textContent?.trim() === 'Sign out everywhere')?.click(),
      );
      await screen.isAt(/^\/login$/);
      // Within a second (design §3 Sessions).
      const ended = async () => (await person.once('GET', '/users/profile')).status === 401;
      await until('the token is refused', ended, 1_000);
    });
  });

  it('asks before deletion to give up the last paise, which cannot be refunded to a card', async () => {
    const { url } = here.world;
    const leaver = await newPerson(url, 'Leaves Paise');
    const paymentId = await topUp(url, leaver, 1.4);
    const { token } = await newAdmin('super-admin');
    await fetchPatiently(`${url}/api/admin/wallet/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ payment_id: paymentId, amount: 1, reason: 'Asked for it' },
        idempotency_key: randomUUID(),
      }),
    });
    const balance = async () => (await leaver.call('GET', '/wallet/balance')).body['balance'];
    await withScreen(here.world, { path: '/profile', as: leaver, viewport: PHONE }, async (screen) => {
      await heading(screen.page, 'Profile');
      await screen.press('Delete account');
      await screen.sees('Your wallet holds ₹0.40.');
      await screen.press('Close');
      expect(await balance()).toBe(0.4);
      await screen.press('Delete account');
      await screen.press('Give up ₹0.40');
      await screen.sees('₹0.40 given up');
      expect(await balance()).toBe(0);
      await screen.fill('Type your user ID', leaver.charId);
      await screen.press('Delete permanently');
      await confirmByNumber(screen, leaver.phone);
      await screen.isAt(/^\/login$/);
    });
  });

  it('deletes the account after the user typed the ID and a code sent to the user’s number', async () => {
    const leaver = await newPerson(here.world.url, 'Leaves Soon');
    await withScreen(here.world, { path: '/profile', as: leaver, viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Profile');
      await screen.press('Delete account');
      await screen.sees('Delete your account?');
      const confirm = () =>
        page.$$eval('[role=dialog] button', (all) =>
          all.some(
            (each) =>
              each.textContent?.trim() === 'Delete permanently' && !(each as HTMLButtonElement).disabled,
          ),
        );
      await screen.fill('Type your user ID', 'WRONG123');
      expect(await confirm()).toBe(false);
      await screen.fill('Type your user ID', leaver.charId.toLowerCase());
      await screen.press('Delete permanently');
      await screen.sees('Deletion of your account');
      await confirmByNumber(screen, leaver.phone);
      await screen.isAt(/^\/login$/);
      const ended = async () => (await leaver.once('GET', '/users/profile')).status === 401;
      await until('the token is refused', ended, 1_000);
    });
  });
});
