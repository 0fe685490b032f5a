/** Notifications in the app, by e-mail and by SMS. */
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { accept, createDocument, invite } from '../src/journey.ts';
import { DESKTOP, heading, PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import { openBrowser } from '../src/test-file.ts';
import { listIn } from '@karaar/testing/list-in';

jest.setTimeout(90_000);

type Mail = {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  arrivals: number;
};

const world = await openBrowser();

const people = () => Promise.all([newPerson(world.url, 'Meera Nair'), newPerson(world.url, 'Vikram Shah')]);

/** Returns the e-mails to a user, newest first. */
async function mailsOf(person: Person): Promise<Mail[]> {
  const { body } = await person.call('GET', '/users/profile');
  const inbox = await fetch(`${world.url}/dev/mail?to=${encodeURIComponent(String(body['email']))}`);
  return (await inbox.json()) as Mail[];
}

it.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])(
  'shows an invitation on %s at once; opening it leads to the document and marks it as read',
  async (_, viewport) => {
    const [owner, guest] = await people();
    const id = await createDocument(owner);
    await withScreen(world, { path: '/wallet', as: guest, viewport }, async ({ page, isAt, sees }) => {
      await heading(page, 'Wallet');
      await page.waitForSelector('a[aria-label="Notifications"]', { visible: true });
      await invite(owner, guest, id);
      const bell = await page.waitForSelector('a[aria-label="Notifications, 1 unread"]', { visible: true });
      await bell?.click();
      await heading(page, 'Notifications');
      const line = 'Meera Nair asks you to agree on “Rent agreement”.';
      await sees(line);
      const entry = await page.waitForSelector(`main li a ::-p-text(${line})`);
      await entry?.click();
      await isAt(new RegExp(`^/document/${id}$`));
      await page.waitForSelector('a[aria-label="Notifications"]', { visible: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );
    });
  },
);

/** Confirms the e-mail address of the account on the profile. */
async function proveEmail(person: Person): Promise<void> {
  await withScreen(world, { path: '/profile', as: person, viewport: PHONE }, async (screen) => {
    await screen.sees('Your e-mail address is not confirmed.');
    await screen.press('Confirm e-mail address');
    await screen.press('Send OTP');
    await screen.sees('Code sent to your e-mail address.');
    const [mail] = await mailsOf(person);
    await screen.fill('One-time code (OTP)', /\b[2-9A-HJ-NP-Z]{6}\b/.exec(mail?.text ?? '')?.[0] ?? '');
    await screen.press('Confirm');
    await screen.sees('Your e-mail address is confirmed.');
    await screen.gone('Your e-mail address is not confirmed.');
  });
}

it('sends an invitation by e-mail, which one click turns off', async () => {
  const [owner, guest] = await people();
  await proveEmail(guest);
  const inviteToOne = async () => {
    const id = await createDocument(owner);
    await invite(owner, guest, id);
    return id;
  };
  const id = await inviteToOne();
  await until('the e-mail', async () => (await mailsOf(guest)).length > 1, 30_000);
  const [mail] = await mailsOf(guest);
  expect(mail).toMatchObject({ subject: 'You are asked to agree on a document', arrivals: 1 });
  expect(mail?.text).toContain(`${new URL(world.url).origin}/document/${id}`);
  const [, link = ''] = /^<(.+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '') ?? [];
  const ended = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(ended.status).toBe(200);
  await inviteToOne();
  const unread = async () => (await guest.call('GET', '/notifications/unread-count')).body['unread_count'];
  await until('it is told in the app all the same', async () => (await unread()) === 2, 30_000);
  const { body } = await guest.call('GET', '/notifications/settings');
  expect(body['preferences']).toContainEqual({ kind: 'invited', channel: 'email', wanted: false });
  expect(await mailsOf(guest)).toHaveLength(2);
});

it('shows the creator on the document that the SMS and the e-mail arrived, and the guest nothing', async () => {
  const [owner, guest] = await people();
  await proveEmail(guest);
  const id = await createDocument(owner);
  await invite(owner, guest, id);
  await until('the e-mail', async () => (await mailsOf(guest)).length === 2);
  const path = `/document/${id}`;
  await until('the report of the SMS', async () => {
    const { body } = await owner.call('GET', `/documents/${id}`);
    const parties = body['parties'] as { text_message?: { state: string } }[];
    return parties.some(({ text_message }) => text_message?.state === 'delivered');
  });
  await withScreen(world, { path, as: owner, viewport: PHONE }, async ({ sees }) => {
    await sees('SMS delivered');
    await sees('E-mail sent');
  });
  await withScreen(world, { path, as: guest, viewport: PHONE }, async ({ page, sees }) => {
    await sees('Involved Users');
    expect(await page.evaluate(() => document.body.textContent)).not.toMatch(/SMS (sent|delivered)/);
  });
});

it("sends an SMS when it is the creator's turn, whose link opens the document, unless it is switched off", async () => {
  const [owner, guest] = await people();
  const { body } = await owner.call('GET', '/users/profile');
  const phone = encodeURIComponent(String(body['phone_no']));
  const texts = async () => {
    const inbox = (await (await fetch(`${world.url}/dev/sms?phone_no=${phone}`)).json()) as {
      text: string;
    }[];
    return inbox.map(({ text }) => text).filter((text) => text.includes('it is your turn'));
  };
  const acceptOne = async () => {
    const id = await createDocument(owner);
    await invite(owner, guest, id);
    await accept(guest, id);
    return id;
  };
  const id = await acceptOne();
  await until('the SMS', async () => (await texts()).length === 1, 30_000);
  const [, link = ''] = /: (\S+)$/.exec((await texts())[0] ?? '') ?? [];
  expect(link).toBe(`${new URL(world.url).origin}/document/${id}`);
  const path = new URL(link).pathname;
  await withScreen(world, { path, as: owner, viewport: PHONE }, ({ sees }) => sees('Involved Users'));
  await withScreen(
    world,
    { path: '/notifications/settings', as: owner, viewport: PHONE },
    async ({ page }) => {
      const box = 'input[aria-label="Your turn: By SMS"]';
      await (await page.waitForSelector(box))?.click();
      const chosen = async () => {
        const settings = await owner.call('GET', '/notifications/settings');
        const list = settings.body['preferences'] as { kind: string; channel: string; wanted: boolean }[];
        return list.find(({ kind, channel }) => kind === 'your_turn' && channel === 'sms')?.wanted;
      };
      await until('it is stored', async () => (await chosen()) === false, 30_000);
      expect(await page.$('input[aria-label="Invitations: By SMS"]')).toBeNull();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        PHONE.width,
      );
    },
  );
  await acceptOne();
  const bell = async () => (await owner.call('GET', '/notifications/unread-count')).body['unread_count'];
  await until('it is in the app', async () => Number(await bell()) >= 2, 30_000);
  expect(await texts()).toHaveLength(1);
});

it('sends a WhatsApp message in place of the SMS once that is chosen, and reports that it arrived', async () => {
  const [owner, guest] = await people();
  const { body } = await owner.call('GET', '/users/profile');
  const phone = encodeURIComponent(String(body['phone_no']));
  const texts = async (channel: 'sms' | 'whatsapp') => {
    const inbox = await fetch(`${world.url}/dev/${channel}?phone_no=${phone}`);
    return ((await inbox.json()) as { text: string }[]).map(({ text }) => text);
  };
  await withScreen(
    world,
    { path: '/notifications/settings', as: owner, viewport: PHONE },
    async ({ page, sees }) => {
      await sees('By ticking WhatsApp you allow Karaar');
      await (await page.waitForSelector('input[aria-label="Your turn: By WhatsApp"]'))?.click();
      await page.waitForSelector('input[aria-label="Your turn: By WhatsApp"]:checked');
      await page.waitForSelector('input[aria-label="Your turn: By SMS"]:not(:checked)');
      expect(await page.$('input[aria-label="Invitations: By WhatsApp"]')).toBeNull();
    },
  );
  const id = await createDocument(owner);
  await invite(owner, guest, id);
  await accept(guest, id);
  await until('the message', async () => (await texts('whatsapp')).length === 1, 30_000);
  expect(await texts('whatsapp')).toEqual([`[event_1_your_turn en]\nbutton: document/${id}`]);
  await until('the report', async () => {
    const { body: sent } = await guest.call('GET', `/notifications/deliveries/${id}`);
    return listIn<{ channel: string; state: string }>(sent).some(
      ({ channel, state }) => channel === 'whatsapp' && state === 'delivered',
    );
  });
  expect((await texts('sms')).filter((text) => text.includes('it is your turn'))).toEqual([]);
});

it('fits the settings on a phone in Tamil, whose words are the longest', async () => {
  const [person] = await people();
  await person.send('/users/profile', { language: 'ta' }, { method: 'PUT' });
  const path = '/notifications/settings';
  await withScreen(world, { path, as: person, viewport: PHONE }, async ({ page, settled }) => {
    await heading(page, 'அறிவிப்பு அமைப்புகள்');
    await settled();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  });
});

it('keeps the choices of the settings screen', async () => {
  const [person] = await people();
  await withScreen(
    world,
    { path: '/notifications/settings', as: person, viewport: PHONE },
    async ({ page, settled }) => {
      await heading(page, 'Notification settings');
      const box = 'input[aria-label="A party rejects: By e-mail"]';
      await (await page.waitForSelector(box))?.click();
      const off = async () => {
        const { body } = await person.call('GET', '/notifications/settings');
        const list = body['preferences'] as { kind: string; channel: string; wanted: boolean }[];
        return list.filter(({ channel, wanted }) => channel === 'email' && !wanted).map(({ kind }) => kind);
      };
      await until('it is stored', async () => (await off()).join() === 'rejected', 30_000);
      await page.reload();
      await heading(page, 'Notification settings');
      await settled();
      expect(await page.$eval(box, (input) => (input as HTMLInputElement).checked)).toBe(false);
    },
  );
});
