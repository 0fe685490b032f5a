/**
 * A page that cannot be kept as it looks: its sender accepts a picture of it or chooses another file, and the other
 * party sees a notice. Screen readers get the text of each page.
 */
import { jest } from '@jest/globals';
import { arrowPdf, textPdf } from '@karaar/testing/made-up/files';
import { overflow } from '../screens/camera.ts';
import type { Screen } from '../src/browser/screen.ts';
import { startSending } from '../src/sending.ts';

jest.setTimeout(240_000);

const sending = await startSending({
  'plan.pdf': arrowPdf('The rent is fixed'),
  'terms.pdf': await textPdf('Paid by the fifth', 'On two pages'),
});

/** Waits until the accessibility tree contains this text. */
async function hears({ page }: Screen, words: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false })).includes(words)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`"${words}" is not read out at ${page.url()}`);
}

/** Scrolls to the last page, repeatedly while earlier pages grow, until the red arrow is drawn there. */
const seesArrow = ({ until }: Screen) =>
  until('the arrow on the last page', () => {
    for (const page of document.querySelectorAll('[data-reading] li:last-of-type')) page.scrollIntoView();
    const drawn = [...document.querySelectorAll<HTMLCanvasElement>('[data-reading] canvas')];
    return drawn.some((canvas) => {
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
      return data?.some((value, at) => at % 4 === 0 && value > 200 && (data[at + 1] ?? 255) < 80) ?? false;
    });
  });

it.each([
  ['a phone', () => [sending.onPhone, sending.onDesktop] as const],
  ['a desktop', () => [sending.onDesktop, sending.onPhone] as const],
])('its sender on %s views and accepts the picture, and the other party sees a notice', async (_, people) => {
  const [sender, other] = people();
  const { person, screen } = sender;
  const { page, press, sees } = screen;
  const file = (name: string) => sending.choose(screen, name);
  await sending.begin(sender, other, `Plan of ${person.name}`);
  await file('plan.pdf');
  await sees('Page 1 of plan.pdf would be kept as a picture.');
  await sees('Otherwise something on it would be missing.');
  expect(await overflow(page)).toBe(0);

  // The form cannot be sent without an answer; the user can choose another file.
  await press('Sign');
  await press('Create Agreement');
  await sees('Please look at the pages that would be kept as pictures.');
  await press('Look and decide: plan.pdf');
  await seesArrow(screen);
  await press('Remove this file');
  await screen.gone('plan.pdf');

  await file('terms.pdf');
  await file('plan.pdf');
  await press('Look and decide: plan.pdf');
  await seesArrow(screen);
  await press('Accept');
  await sees('You accepted: page 1 of plan.pdf is kept as a picture.');
  const path = await sending.create(screen);

  await other.screen.goto(path);
  await other.screen.sees('Page 1 is kept as a picture of what viewers show.');
  await other.screen.sees(`${person.name} accepted that on`);
  await other.screen.sees('This page is kept as a picture.');
  for (const words of ['Paid by the fifth', 'On two pages', 'The rent is fixed'])
    await hears(other.screen, words);
  expect(await overflow(other.screen.page)).toBe(0);
  await seesArrow(other.screen);
});
