/** The text, number and duration of toasts (spec §8), on the sign-in screen. */
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import type { HTTPRequest } from 'puppeteer-core';
import { withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { letGo, toastsOf } from '../src/browser/toasts.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(60_000);

const world = await openBrowser();
const asha = await newPerson(world.url, 'Asha Iyer');

const phone = (screen: Screen) => screen.fill('Phone number', '9876500000');

it('[ERROR-001] [ERROR-002] [ERROR-003] [ERROR-004] [ERROR-005] [ERROR-006] [ERROR-007] [LIMIT-002] an error toast shows the text of the answer for 4 s', async () => {
  const answers: [answer: unknown, says: string][] = [
    [{ detail: 'The line is busy' }, 'The line is busy'],
    [{ detail: [{ loc: 'phone_no', msg: 'is not in use' }] }, 'phone_no: is not in use'],
    [{ message: 'Only a message' }, 'Only a message'],
    [{ message: 'The message', detail: 'The detail beside it' }, 'The detail beside it'],
    [[{ msg: 'first of a list' }, { message: 'second' }], 'first of a list, second'],
    [{ reason: 'first value', hint: 'second value' }, 'first value, second value'],
    [{}, 'Failed to send OTP'],
  ];
  let answer: unknown;
  const options = {
    path: '/login',
    hold: [2_000, 4_000],
    interfere: (request: HTTPRequest) =>
      request.url().endsWith('/auth/send-otp')
        ? { status: 400, contentType: 'application/json', body: JSON.stringify(answer) }
        : undefined,
  };
  await withScreen(world, options, async (screen) => {
    await phone(screen);
    const said: string[] = [];
    for (const [next, says] of answers) {
      answer = next;
      await screen.press('Send OTP');
      await screen.sees(says);
      // Exactly this text, and the earlier ones.
      expect((await toastsOf(screen.page)).toSorted()).toEqual([...said, says].toSorted());
      said.push(says);
    }
    await letGo(screen.page, 2_000);
    expect(await toastsOf(screen.page)).toHaveLength(answers.length);
    await letGo(screen.page, 4_000);
    await until('all are gone', async () => (await toastsOf(screen.page)).length === 0);
  });
});

it('[LIMIT-001] [LIMIT-003] [LIMIT-004] shows at most 20 toasts at once, success for 2 s and information for 4 s', async () => {
  const answers: Record<string, object> = {
    '/api/auth/send-otp': { message: 'Sent', resend_after_s: 30 },
    '/api/auth/login': { access_token: asha.token, user_id: asha.userId, char_id: asha.charId },
  };
  let [busy, same, line] = [true, false, 0];
  const bad = () => `Line ${same ? line : (line += 1)} is busy`;
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `Line ${from + i} is busy`);
  const interfere = (request: HTTPRequest) => {
    const { pathname } = new URL(request.url());
    if (busy && pathname === '/api/auth/send-otp')
      return { status: 400, contentType: 'application/json', body: JSON.stringify({ detail: bad() }) };
    const body = answers[pathname];
    return body && { status: 200, contentType: 'application/json', body: JSON.stringify(body) };
  };
  await withScreen(world, { path: '/login', hold: [2_000, 4_000], interfere }, async (screen) => {
    const { page, press } = screen;
    const shown = (wanted: string[]) =>
      until(`these toasts: ${wanted.join(', ')}`, async () => {
        return (await toastsOf(page)).join() === wanted.join();
      });
    await phone(screen);
    await press('Send OTP');
    await shown(lines(1, 1));
    // The first toast has loaded the code; the others appear at once.
    await page.$$eval('main button', (buttons) => {
      const send = buttons.find((button) => button.textContent === 'Send OTP');
      for (let press = 0; press < 21; press += 1) send?.click();
    });
    await shown(lines(1, 20));
    // The 21st and 22nd have waited.
    expect(await letGo(page, 4_000)).toBe(20);
    await shown(lines(21, 22));
    // The same text is one toast.
    same = true;
    const again = page.waitForResponse((response) => response.url().endsWith('/auth/send-otp'));
    await press('Send OTP');
    await again;
    await screen.settled();
    await shown(lines(21, 22));
    await letGo(page, 4_000);
    await shown([]);

    busy = false;
    await press('Send OTP');
    const told = 'Code sent. Enter it below.';
    await shown([told]);
    await letGo(page, 2_000);
    await shown([told]);
    await letGo(page, 4_000);
    await shown([]);

    await screen.fill('One-time code', 'ABCDEF');
    await shown(['Login successful!']);
    await letGo(page, 4_000);
    await shown(['Login successful!']);
    await letGo(page, 2_000);
    await shown([]);
  });
});
