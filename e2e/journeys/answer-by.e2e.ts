/** The date by which a creator asks another party to answer. */
import { jest } from '@jest/globals';
import { dayInIndia, lastAnswerBy } from '@karaar/contracts/answer-by';
import { until } from '@karaar/testing/until';
import { inDatabase } from '../src/database.ts';
import { createDocument } from '../src/journey.ts';
import { PHONE, WIDE, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;
const DAY_MS = 86_400_000;
const today = dayInIndia(new Date());
const inDays = (days: number) => new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);
/** Formats a day as the screens do. */
const inWords = (day: string) =>
  new Intl.DateTimeFormat('en-IN', {
    timeZone: 'Asia/Kolkata',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(day));

// A browser each, because only the front page of a browser paints.
const [first, second] = await Promise.all([openBrowser(), openBrowser()]);
const creator = await signedIn(first.browser, url, 'Asha Rao', WIDE);
const guest = await signedIn(second.browser, url, 'Vikram Shah', PHONE);

/** Sets a day in the field of the top dialog (or of the page), as the device's date picker does. */
async function chooseDay({ page }: Screen, day: string, within = '[role="dialog"]'): Promise<void> {
  const selector = `${within} input[name="answer_by"]`;
  await page.waitForSelector(selector, { visible: true });
  const field = (await page.$$(selector)).at(-1);
  await field?.evaluate((element, value) => {
    const input = element as HTMLInputElement;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, day);
}

/** Changes the date of a document in the database, because no route sets a past date. */
async function wasAskedBy(id: string, day: string): Promise<void> {
  const statement = 'UPDATE parties SET answer_by = $2 WHERE document_id = $1 AND answer_by IS NOT NULL';
  await inDatabase(sharedProduct.postgresUrl, 'documents', statement, [id, day]);
}

const dayOf = async (id: string) => {
  const { body } = await creator.person.call('GET', `/documents/${id}`);
  const parties = body['parties'] as { user_id: string; answer_by?: string }[];
  return parties.find(({ user_id }) => user_id === guest.person.userId)?.answer_by;
};

it('the date is set with an invitation, shown to the party, changed, passes without an effect, and is removed', async () => {
  const id = await createDocument(creator.person);
  const { screen } = creator;
  await screen.goto(`/document/${id}?manage=users`);
  await screen.fill('Add user by ID', guest.person.charId);

  // An invalid date shows an error at its field, and no invitation is sent.
  await chooseDay(screen, inDays(-1));
  await screen.press('Add User');
  await screen.sees('Choose a day from today to one year from today');
  await chooseDay(screen, inDays(12));
  await screen.press('Add User');
  await screen.sees(`Asked to answer by ${inWords(inDays(12))}`);
  expect(await dayOf(id)).toBe(inDays(12));

  // The party sees it in the list of tasks, in the notifications and on the document page.
  const { screen: phone } = guest;
  await phone.goto('/dashboard');
  await phone.sees(`Please answer by ${inWords(inDays(12))}`);
  await until('the notification is there', async () => {
    const { body } = await guest.person.call('GET', '/notifications');
    return (body['notifications'] as { answer_by?: string }[]).some(
      ({ answer_by }) => answer_by === inDays(12),
    );
  });
  await phone.goto('/notifications');
  await phone.sees(`Please answer by ${inWords(inDays(12))}.`);
  await phone.goto(`/document/${id}`);
  await phone.sees(`Please answer by ${inWords(inDays(12))}`);

  // The party's open page shows the change.
  await screen.press('Change the date for Vikram Shah');
  await screen.sees('By when should Vikram Shah answer?');
  await chooseDay(screen, '');
  await screen.press('Save the date');
  await screen.sees('Choose a day from today to one year from today');
  await chooseDay(screen, lastAnswerBy(today));
  await screen.press('Save the date');
  await screen.sees('The date is saved');
  await screen.sees(`Asked to answer by ${inWords(lastAnswerBy(today))}`);
  await phone.sees(`Please answer by ${inWords(lastAnswerBy(today))}`);

  // After the date the party can still answer.
  await wasAskedBy(id, inDays(-3));
  await phone.goto(`/document/${id}`);
  await phone.sees(`You were asked to answer by ${inWords(inDays(-3))}. You can still answer.`);
  await phone.sees('Read and sign');
  await screen.goto(`/document/${id}`);
  await screen.sees(`${inWords(inDays(-3))} has passed, Vikram Shah has not answered`);

  await screen.goto(`/document/${id}?manage=users`);
  await screen.press('Change the date for Vikram Shah');
  await screen.press('Remove the date');
  await screen.sees('The date is removed');
  await screen.gone('has not answered');
  expect(await dayOf(id)).toBeUndefined();
  await screen.press('Set a date for Vikram Shah');
  await screen.sees('By when should Vikram Shah answer?');

  // Escape closes only the top dialog, then the one under it.
  const titles = () => screen.page.$$eval('[role=dialog] h2', (all) => all.map((each) => each.textContent));
  expect(await titles()).toEqual(['Manage Users and Payments', 'By when should Vikram Shah answer?']);
  await screen.page.keyboard.press('Escape');
  await screen.until('one dialog', () => document.querySelectorAll('[role=dialog]').length < 2);
  expect(await titles()).toEqual(['Manage Users and Payments']);
  await screen.page.keyboard.press('Escape');
  await screen.until('no dialog', () => document.querySelector('[role=dialog]') === null);
});

it.each([
  ['en', WIDE, 'Answer by', 'Continue', 'Choose a day from today to one year from today'],
  ['en', PHONE, 'Answer by', 'Continue', 'Choose a day from today to one year from today'],
  ['hi', PHONE, 'उत्तर की तारीख', 'आगे बढ़ें', 'आज से एक साल के भीतर का दिन चुनें'],
] as const)(
  'the date is set while an agreement is created, and an invalid date shows an error at its field (%s, %o)',
  async (language, viewport, label, next, wrong) => {
    const owner = await newPerson(url, 'Meera Nair');
    const browser = guest.screen.page.browser();
    const path = '/document/create?step=people';
    await withScreen(
      { url, browser },
      { path, as: owner, viewport, storage: { language } },
      async (screen) => {
        const { page } = screen;
        await screen.sees(label);
        await chooseDay(screen, inDays(-1), 'main');
        await screen.press(next);
        await screen.sees(wrong);
        const told = await page.$eval('input[name="answer_by"]', (field) => ({
          invalid: field.getAttribute('aria-invalid'),
          by: document.getElementById(field.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')
            ?.textContent,
        }));
        expect(told).toEqual({ invalid: 'true', by: wrong });
        await chooseDay(screen, inDays(5), 'main');
        await screen.until(
          'the field is right',
          () => document.querySelector('input[name="answer_by"]')?.getAttribute('aria-invalid') !== 'true',
        );
      },
    );
  },
);

it('the date is set for an open invitation, on a phone in Hindi', async () => {
  const owner = await newPerson(url, 'Meera Nair');
  const id = await createDocument(owner);
  const invited = { contact: 'asha@example.org', send: false, answer_by: inDays(7) };
  await owner.call('POST', `/documents/${id}/invitations`, invited, [201]);
  const path = `/document/${id}?manage=users`;
  const storage = { language: 'hi' };
  const browser = guest.screen.page.browser();
  await withScreen({ url, browser }, { path, as: owner, viewport: PHONE, storage }, async (screen) => {
    await screen.press('a•••@example.org की तारीख बदलें');
    await screen.sees('a•••@example.org कब तक उत्तर दें?');
    await chooseDay(screen, inDays(3));
    await screen.press('तारीख सहेजें');
    await screen.sees('तारीख सहेजी गई');
  });
  const { body } = await owner.call('GET', `/documents/${id}`);
  expect(body['open_invitations']).toMatchObject([{ answer_by: inDays(3) }]);
});
