/** Invitations to people without an account, from the link in a text message to a sealed document. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { idCardPng } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { until } from '@karaar/testing/until';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { frames } from '../src/browser/cameras.ts';
import { finalize } from '../src/journey.ts';
import { codeTo, freshPhone, part, verification, type Person } from '../src/person.ts';
import { openScreen, type Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { photographAndSign } from '../src/verifying.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;

const folder = await newFolder();
const camera = await frames({ width: 1280, height: 720 });
// A browser each, because only the front page of a browser paints.
const [first, second] = await Promise.all([openBrowser(), openBrowser({ camera })]);
const owner = await signedIn(first.browser, url, 'Meera Nair', WIDE);
const guest = await openScreen(second.browser, url, PHONE);

async function file(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function createDocument(by: Person): Promise<string> {
  const { body } = await by.send('/documents/create', {
    name: 'Orchard lease',
    start_date: '2026-03-01',
    end_date: '2026-03-07',
    raw_documents: part(await textPdf('Forty mango trees'), 'application/pdf', 'orchard.pdf'),
    ...(await verification(1)),
  });
  return String(body['document_id']);
}

/** Returns the path of the newest link sent to a number or an address. */
async function linkTo(contact: string): Promise<string> {
  const inbox = contact.startsWith('+') ? 'sms?phone_no' : 'mail?to';
  let path: string | undefined;
  await until('the link is sent', async () => {
    const response = await fetch(`${url}/dev/${inbox}=${encodeURIComponent(contact)}`);
    const messages = (await response.json()) as { text: string }[];
    path = messages.map(({ text }) => /\/invitation#[\w-]{32}/.exec(text)?.[0]).find(Boolean);
    return path !== undefined;
  });
  return String(path);
}

const inviteOnScreen = async (id: string, contact: string): Promise<void> => {
  const { screen } = owner;
  await screen.goto(`/document/${id}?manage=users`);
  await screen.sees('How you invite');
  await screen.page.click('input[type=radio][value=contact]');
  await screen.fill('Phone number or e-mail address', contact);
  await screen.press('Invite');
  await screen.sees('The invitation is on its way.');
};

async function verify(screen: Screen): Promise<void> {
  await screen.press('Capture Now: Profile photo');
  await photographAndSign(screen);
  await screen.press('Complete Verification');
}

it('an invited person goes from the link of a text message to a signed document, on a phone', async () => {
  const id = await createDocument(owner.person);
  const phone = freshPhone();
  const hint = `+91 ••••••${phone.slice(-4)}`;
  await inviteOnScreen(id, phone.slice(3));
  await owner.screen.sees(hint);

  await guest.goto(await linkTo(phone));
  await guest.sees('Meera Nair asks you to agree on a document.');
  await guest.sees(`It is for the phone number ${hint}.`);
  await guest.page.evaluate(() => localStorage.setItem('language', 'hi'));
  await guest.page.reload();
  await guest.sees('Meera Nair एक दस्तावेज़ पर आपकी सहमति चाहते हैं।');
  await guest.page.evaluate(() => localStorage.setItem('language', 'en'));
  await guest.page.reload();
  await guest.press('Send me a code');
  await guest.sees(`We have sent a 6-character code to ${hint}.`);
  await guest.fill('One-time code (OTP)', await codeTo(url, phone));

  // The form has the proven number of the link.
  await guest.isAt(/^\/register$/);
  await guest.sees('Confirmed by the code.');
  await guest.fill('Full name', 'विक्रम शाह');
  await guest.fill('E-mail', `${phone.slice(3)}@example.org`);
  await guest.fill('City', 'Pune');
  await guest.fill('State', 'Maharashtra');
  await guest.choose('ID type', 'PAN');
  await guest.fill('ID number', 'ABCDE1234F');
  await guest.upload('input[type=file]', [await file('id.png', await idCardPng())]);
  await guest.press('Register');

  // Signed in on the document, without a second code.
  await guest.isAt(new RegExp(`^/document/${id}$`));
  await guest.sees('Orchard lease');

  // The creator approves, waits for this person, and sends a reminder from the bar.
  await owner.person.call('PUT', `/documents/${id}/approve/${owner.person.userId}`);
  await owner.screen.goto(`/document/${id}`);
  await owner.screen.sees('Waiting for विक्रम शाह');
  await owner.screen.press('Remind');
  await owner.screen.sees('Reminded');
  await guest.press('Read and sign');
  await verify(guest);
  const approvals = async () => {
    const { body } = await owner.person.call('GET', `/documents/${id}`);
    return Object.values(
      body['user_approvals'] as Record<string, { approved: boolean; is_primary: boolean }>,
    );
  };
  await until('the stranger has approved', async () =>
    (await approvals()).some(({ approved, is_primary }) => approved && !is_primary),
  );

  expect(Buffer.from(await finalize(owner.person, id)).subarray(0, 5)).toEqual(Buffer.from('%PDF-'));
  const { body } = await owner.person.call('GET', `/documents/${id}`);
  expect(body).toMatchObject({
    status: 'finalized',
    involved_users: [owner.person.userId, expect.any(String)],
  });
  expect(body).not.toHaveProperty('open_invitations');

  // The calendar file of its dates, and a new agreement that follows it.
  await guest.page.reload();
  await guest.page.evaluate(() => {
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      Object.assign(window, { saved: blob });
      return make(blob);
    };
  });
  await guest.press('Add to calendar');
  const calendar = await guest.page.evaluate(() => (Reflect.get(window, 'saved') as Blob).text());
  expect(calendar).toContain('DTSTART;VALUE=DATE:20260307');
  await guest.goto(`/document/create?renew=${id}`);
  await guest.sees('This agreement follows one that ends.');
  await guest.isAt(/^\/document\/create$/);
  await guest.settled();
  expect(await guest.page.$eval('input[name=name]', (field) => (field as HTMLInputElement).value)).toBe(
    'Orchard lease',
  );
});

/** Opens the link sent to an address, and proves the address with the code of the next e-mail. */
async function proveAddress(screen: Screen, address: string): Promise<void> {
  await screen.goto(await linkTo(address));
  await screen.sees(`It is for the e-mail address ${address.slice(0, 1)}•••@example.org.`);
  await screen.press('Send me a code');
  await screen.sees('We have sent a 6-character code');
  const inbox = await fetch(`${url}/dev/mail?to=${encodeURIComponent(address)}`);
  const mails = (await inbox.json()) as { subject: string; text: string }[];
  const mail = mails.find(({ subject }) => subject === 'Your code for Karaar');
  await screen.fill('One-time code (OTP)', /\b[2-9A-HJ-NP-Z]{6}\b/.exec(mail?.text ?? '')?.[0] ?? '');
}

it('a code in an e-mail proves an address; its owner reaches the document, or registers with the address', async () => {
  const id = await createDocument(owner.person);
  const tail = freshPhone().slice(3);
  const [known, unknown] = [`known.${tail}@example.org`, `unknown.${tail}@example.org`];
  await inviteOnScreen(id, known);
  await inviteOnScreen(id, unknown);
  const { screen } = await signedIn(second.browser, url, 'Asha Rao', PHONE);
  await proveAddress(screen, known);
  await screen.isAt(new RegExp(`^/document/${id}$`));
  await screen.close();

  const stranger = await openScreen(second.browser, url, PHONE);
  await proveAddress(stranger, unknown);
  await stranger.sees('Your e-mail address is confirmed.');
  await stranger.press('Create an account', 'link');
  await stranger.isAt(/^\/register$/);
  await stranger.page.waitForFunction(
    (address: string) => document.querySelector<HTMLInputElement>('input[name=email]')?.value === address,
    {},
    unknown,
  );
  await stranger.close();
});

it('an invited person stops all invitations to a number from the link of the message, and allows them again', async () => {
  const id = await createDocument(owner.person);
  const phone = freshPhone();
  await inviteOnScreen(id, phone.slice(3));
  const stranger = await openScreen(second.browser, url, PHONE);
  await stranger.goto(await linkTo(phone));
  await stranger.press('Stop these messages', 'link');
  await stranger.isAt(/^\/invitation\/stop$/);
  await stranger.sees(
    `The user with the ID ${owner.person.charId} has sent an invitation to this phone number.`,
  );
  await stranger.press('Stop all invitations');
  await stranger.sees('You get no more invitations from Karaar.');
  await stranger.page.evaluate(() => localStorage.setItem('language', 'hi'));
  await stranger.page.reload();
  await stranger.sees('अब आपको Karaar से कोई आमंत्रण नहीं मिलेगा।');
  await stranger.page.evaluate(() => localStorage.setItem('language', 'en'));
  await stranger.page.reload();

  // The next invitation is not delivered, and its creator learns nothing else.
  const next = await createDocument(owner.person);
  await inviteOnScreen(next, phone.slice(3));
  await until('it is not delivered', async () => {
    const { body } = await owner.person.call('GET', `/documents/${next}`);
    return (body['open_invitations'] as { sending: string }[])[0]?.sending === 'failed';
  });
  await owner.screen.goto(`/document/${next}?manage=users`);
  await owner.screen.sees('Automatic reminders');
  await stranger.press('Allow invitations again');
  await stranger.sees('Stop all invitations');
  await stranger.close();
});

it('a copied link gives another person no access, with a reason', async () => {
  const id = await createDocument(owner.person);
  const phone = freshPhone();
  await inviteOnScreen(id, phone.slice(3));
  const path = await linkTo(phone);
  const { screen } = await signedIn(second.browser, url, 'Mallory Pinto', PHONE);
  await screen.goto(path);
  await screen.press('Open the document');
  await screen.sees('You are signed in as Mallory Pinto, whose account has another phone number.');
  await screen.press('Sign out and continue');
  await screen.sees('Send me a code');

  // The creator withdraws the invitation: the link is invalid, and the document no longer waits for it.
  await owner.screen.goto(`/document/${id}?manage=users`);
  await owner.screen.press(`Withdraw the invitation to +91 ••••••${phone.slice(-4)}`);
  await owner.screen.press('Withdraw invitation');
  await owner.screen.sees('The invitation was withdrawn.');
  await screen.page.reload();
  await screen.sees('This invitation does not work any more. Ask the sender for a new one.');
});

it('a new agreement accepts a number or an address instead of the ID', async () => {
  const { screen } = owner;
  await screen.goto('/document/create?step=people');
  // Not by its place on the screen, which moves when the contacts above arrive.
  const byContact = await screen.page.waitForSelector('input[type=radio][value=contact]');
  await byContact?.evaluate((radio) => (radio as HTMLInputElement).click());
  await screen.fill('Phone number or e-mail address', 'asha@');
  await screen.press('Continue');
  await screen.sees('Enter a 10-digit phone number or an e-mail address');
  await screen.fill('Phone number or e-mail address', 'asha@example.org');
  await screen.press('Continue');
  await screen.sees('Optional. The price follows the days');
});
