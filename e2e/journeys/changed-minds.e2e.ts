/** Parties who reject, withdraw, or verify again. On a phone and on a desktop. */
import { jest } from '@jest/globals';
import { frames } from '../src/browser/cameras.ts';
import { PHONE, textOf, WIDE } from '../src/browser/opened.ts';
import { openScreen } from '../src/browser/screen.ts';
import { codeOf, createDocument, payAlone, topUp } from '../src/journey.ts';
import { codeTo, freshPhone, verification, type Person } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';
import { photographAndSign } from '../src/verifying.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;

const camera = await frames({ width: 1280, height: 720 });
const [one, two, three] = await Promise.all([
  openBrowser(),
  openBrowser({ camera }),
  openBrowser({ camera }),
]);
const [owner, onPhone, onDesktop] = await Promise.all([
  signedIn(one.browser, url, 'Asha Rao', WIDE),
  signedIn(two.browser, url, 'Meera Nair', PHONE),
  signedIn(three.browser, url, 'Vikram Shah', WIDE),
]);

/** Joins a new document and is admitted, over the API. @returns the document's id */
async function admitted(person: Person, id?: string): Promise<string> {
  const joined = id ?? (await createDocument(owner.person));
  const document_code = await codeOf(owner.person, joined);
  await person.send('/documents/join', { document_code, ...(await verification(2)) });
  await owner.person.call('PUT', `/documents/${joined}/approve-user/${person.userId}`);
  return joined;
}

const approve = (id: string, who: Person) => who.call('PUT', `/documents/${id}/approve/${who.userId}`);

async function hasApproved(id: string, { userId }: Person): Promise<boolean | undefined> {
  const { body } = await owner.person.call('GET', `/documents/${id}`);
  return (body['user_approvals'] as Record<string, { approved: boolean }>)[userId]?.approved;
}

it.each([
  ['a phone', () => onPhone],
  ['a desktop', () => onDesktop],
])('a joiner on %s reads and rejects with a reason, which the creator sees', async (_, guestOf) => {
  const { person, screen } = guestOf();
  const id = await admitted(person);
  await screen.goto(`/document/${id}`);
  await screen.sees('Page 1 of 2');
  await screen.press('Reject');
  await screen.sees('every party sees that you rejected it');
  await screen.fill('Reason', 'The rent on page 1 is not what we said.');
  await screen.press('Reject agreement');
  await screen.sees('You rejected the agreement.');
  expect(await hasApproved(id, person)).toBe(false);

  await owner.screen.goto(`/document/${id}`);
  await owner.screen.sees(`${person.name} rejected this agreement.`);
  await owner.screen.sees('Rejected: “The rent on page 1 is not what we said.”');
});

it.each([
  ['a phone', () => onPhone],
  ['a desktop', () => onDesktop],
])('a party on %s withdraws after an explanation, but not once a share is paid', async (_, guestOf) => {
  const { person, screen } = guestOf();
  const id = await admitted(person);
  await approve(id, person);
  await approve(id, owner.person);

  await screen.goto(`/document/${id}`);
  await screen.press('Withdraw');
  await screen.sees('You leave the document and no longer see it.');
  await screen.press('Cancel');
  await screen.press('Withdraw');
  await screen.fill('Reason', 'I have found another house.');
  await screen.press('Withdraw from agreement');
  await screen.isAt(/^\/dashboard$/);
  await screen.goto(`/document/${id}`);
  await screen.sees('You do not have access to');
  await owner.screen.goto(`/document/${id}`);
  await owner.screen.sees('I have found another house.');
  await owner.screen.settled();
  expect(await textOf(owner.screen)).not.toContain('Document approved');
  const { body } = await owner.person.call('GET', `/documents/${id}`);
  expect(body['status']).toBe('pending');

  // Joined again, approved and paid: the party can no longer withdraw.
  await admitted(person, id);
  await approve(id, person);
  await approve(id, owner.person);
  await topUp(url, owner.person, 100);
  await payAlone(owner.person, id);
  await screen.goto(`/document/${id}`);
  await screen.press('Withdraw');
  await screen.press('Withdraw from agreement');
  await screen.sees('You cannot withdraw from this document any more. Asha Rao has paid');
});

it.each([
  ['a phone', () => onPhone],
  ['a desktop', () => onDesktop],
])(
  'a party on %s verifies again, which withdraws the party’s approval, reads and approves again',
  async (_, guestOf) => {
    const { person, screen } = guestOf();
    const id = await admitted(person);
    await approve(id, person);
    await screen.goto(`/document/${id}`);
    await screen.press('Verify again');
    await screen.sees('Your earlier approval is withdrawn');
    await screen.press('Continue');
    await screen.press('Capture Now: Profile photo');
    await photographAndSign(screen);
    await screen.press('Complete Verification');
    await screen.sees('Your turn: read, then approve');
    expect(await hasApproved(id, person)).toBe(false);
    await screen.sees('Page 1 of 2');
    await screen.press('Approve Agreement');
    await screen.sees('You have approved the agreement.');
    expect(await hasApproved(id, person)).toBe(true);
  },
);

it('the creator cancels with a reason; the parties see it, and the creator corrects a copy', async () => {
  const id = await createDocument(owner.person);
  await owner.person.call('POST', `/documents/${id}/add-user`, {
    target_user_char_id: onPhone.person.charId,
  });
  const { screen } = owner;
  await screen.goto(`/document/${id}`);
  await screen.press('Cancel this document');
  await screen.sees('You cannot undo this, but you can correct a copy and send that.');
  await screen.press('Keep document');
  await screen.press('Cancel this document');
  await screen.fill('Reason', 'The owner sells the flat.');
  await screen.press('Cancel document');
  await screen.sees('The document was cancelled.');
  await screen.sees('This document was cancelled. There is nothing left to do.');
  await screen.page.waitForSelector('h1 ~ * ::-p-text(Cancelled), h1 ::-p-text(Cancelled)');

  await onPhone.screen.goto(`/document/${id}`);
  await onPhone.screen.sees(/Cancelled by Asha Rao on \d+ \w+ \d{4}\./);
  await onPhone.screen.sees('The owner sells the flat.');
  await onPhone.screen.goto('/notifications');
  await onPhone.screen.sees('Asha Rao has cancelled');

  await screen.press('Correct and send again');
  await screen.isAt(/^\/document\/create$/);
});

it('an invited person says that someone else signs, and the creator invites that person instead', async () => {
  const id = await createDocument(owner.person);
  const [phone, right] = [freshPhone(), freshPhone()];
  const { body } = await owner.person.call('POST', `/documents/${id}/invitations`, {
    contact: phone,
    send: false,
  });
  const link = new URL(String(body['link']));
  const stranger = await openScreen(two.browser, url, PHONE);
  await stranger.goto(`${link.pathname}${link.hash}`);
  await stranger.press('I am not the one who signs');
  await stranger.sees('Asha Rao is asked to invite the right person instead of you.');
  await stranger.press('Send me a code');
  await stranger.sees('We have sent a 6-character code');
  await stranger.fill('One-time code (OTP)', await codeTo(url, phone));
  await stranger.fill('Name of the right person', 'Ravi Iyer');
  await stranger.fill('Their phone number or e-mail address', right.slice(3));
  await stranger.press('Tell the sender');
  await stranger.sees('The sender was told. You need not do anything more.');

  const { screen } = owner;
  await screen.goto('/notifications');
  await screen.sees('says that someone else signs.');
  await screen.goto(`/document/${id}`);
  await screen.sees(`+91 ••••••${phone.slice(-4)} says that someone else signs: Ravi Iyer, ${right}.`);
  await screen.press(`Invite ${right} instead`);
  await screen.sees('The invitation is on its way.');
  await screen.sees(`+91 ••••••${right.slice(-4)}`);
  await screen.gone('says that someone else signs:');
  await stranger.goto(`${link.pathname}${link.hash}`);
  await stranger.page.reload();
  await stranger.sees('This invitation does not work any more.');
});
