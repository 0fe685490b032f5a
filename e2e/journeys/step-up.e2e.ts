/** Actions that a passkey confirms, in a browser with a virtual authenticator. */
import { jest } from '@jest/globals';
import { overflow } from '../screens/camera.ts';
import { frames } from '../src/browser/cameras.ts';
import { agree, balanceOf, documentFields, share, topUp } from '../src/journey.ts';
import { PHONE, WIDE, withScreen } from '../src/browser/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { addKey, recognises, withDevice } from '../src/browser/signing-devices.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const world = await openBrowser({ camera: await frames() });
const guest = await newPerson(world.url, 'Vikram Shah');

/** Creates an agreement of fourteen years, whose price is above the limit. @returns `price` as buttons show it */
async function expensive(owner: Person): Promise<{ id: string; rupees: number; price: string }> {
  const fields = { ...(await documentFields()), start_date: '2026-03-01', end_date: '2040-03-01' };
  const { body } = await owner.send('/documents/create', fields);
  const id = String(body['document_id']);
  await agree(owner, guest, id);
  await share(owner, id, [[owner, 100]]);
  const { body: charge } = await owner.call('GET', `/payments/document/${id}/calculate`);
  const rupees = Number(charge['total_amount']);
  expect(rupees).toBeGreaterThan(5_000);
  return { id, rupees, price: `₹${rupees.toLocaleString('en-IN')}` };
}

async function pay({ goto, press }: Screen, id: string, price: string): Promise<void> {
  await goto(`/document/${id}/payment`);
  await press('Make Payment');
  await press(`Pay ${price}`);
}

it.each([
  [390, PHONE],
  [1440, WIDE],
])(
  'confirms a large payment and the export, and waits after a lost device, at %i px',
  async (_, viewport) => {
    const owner = await newPerson(world.url, 'Asha Rao');
    const { id, rupees, price } = await expensive(owner);
    const funds = 3 * rupees;
    await topUp(world.url, owner, funds);
    await withScreen(world, { path: '/profile', as: owner, viewport }, async (screen) => {
      const { page, goto, press, sees } = screen;
      const device = await withDevice(screen);
      await addKey(screen, 'Phone');

      // Neither a cancelled confirmation nor another finger moves money.
      await pay(screen, id, price);
      await sees('Confirm with your passkey');
      await sees(`Payment of ${price}.00 for “Rent agreement”`);
      expect(await overflow(page)).toBe(0);
      await recognises(device, false);
      await press('Confirm');
      await sees('The passkey was not used.');
      expect(await overflow(page)).toBe(0);
      await page.keyboard.press('Escape');
      await sees('Not confirmed. Nothing was done.');
      expect(await balanceOf(owner)).toBe(funds);

      await recognises(device, true);
      await press(`Pay ${price}`);
      await press('Confirm');
      await sees('Payment completed');
      expect(await balanceOf(owner)).toBe(funds - rupees);

      await goto('/profile');
      await press('Download my data');
      await sees('Download of your personal data');
      const [exported] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/users/profile/export') && response.ok()),
        press('Confirm'),
      ]);
      expect(exported.headers()['content-type']).toBe('application/zip');

      // After the key of a lost device is removed, large payments wait.
      const second = await expensive(owner);
      await goto('/profile');
      await press('Remove Phone');
      await sees('If it is the last one that confirms payments');
      await press('Remove');
      await sees('Passkey removed');
      await pay(screen, second.id, second.price);
      await sees('A passkey of yours was removed. For your protection this is possible again from');
      expect(await balanceOf(owner)).toBe(funds - rupees);
    });
  },
);

it('requires no confirmation from a user without a passkey', async () => {
  const owner = await newPerson(world.url, 'Meera Nair');
  const { id, rupees, price } = await expensive(owner);
  await topUp(world.url, owner, rupees);
  await withScreen(world, { path: '/dashboard', as: owner, viewport: PHONE }, async (screen) => {
    await pay(screen, id, price);
    await screen.sees('Payment completed');
  });
  expect(await balanceOf(owner)).toBe(0);
});
