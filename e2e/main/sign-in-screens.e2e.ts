import { writeFile } from 'node:fs/promises';
import { jest } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { inDatabase } from '../src/database.ts';
import { asked, callsOf } from '../src/browser/api-calls.ts';
import { ID_IMAGE, identityWorld } from '../src/identity-world.ts';
import { heading, PHONE, stored, WIDE, withScreen } from '../src/browser/opened.ts';
import { freshPhone, newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { toastIs } from '../src/browser/toasts.ts';

jest.setTimeout(90_000);

const here = await identityWorld();
const valueOf = (page: Page, label: string) =>
  page.$$eval(
    'label',
    (labels, wanted) =>
      (labels.find((each) => each.textContent?.trim().startsWith(wanted))?.control as HTMLInputElement | null)
        ?.value,
    label,
  );

describe('Login', () => {
  it('[AUTH-009] asks at each empty field to fill in all fields, and sends nothing', async () => {
    await withScreen(here.world, { path: '/login', viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Sign in');
      const calls = callsOf(page);
      const faults = () =>
        page.$$eval('main form input', (fields) =>
          fields.map((field) => [
            field.labels?.[0]?.textContent?.trim().replace(/ \(.*/, ''),
            field.getAttribute('aria-invalid') === 'true'
              ? document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
              : null,
          ]),
        );
      const FILL = 'Please fill in all fields';
      await screen.press('Sign in');
      await screen.says(FILL);
      expect(Object.fromEntries(await faults())).toEqual({ 'Phone number': FILL, 'One-time code': FILL });
      await screen.fill('Phone number', '9876543210');
      await screen.press('Sign in');
      expect(Object.fromEntries(await faults())).toEqual({ 'Phone number': null, 'One-time code': FILL });
      expect(calls).toEqual([]);
    });
    await withScreen(here.world, { path: '/login', viewport: PHONE }, async (screen) => {
      await heading(screen.page, 'Sign in');
      const calls = callsOf(screen.page);
      await screen.fill('One-time code', 'ABC234');
      await screen.press('Sign in');
      await screen.says('Please fill in all fields');
      expect(calls).toEqual([]);
    });
  });

  it('[AUTH-006] sends phone and code when Sign in is pressed', async () => {
    await withScreen(here.world, { path: '/login', viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Sign in');
      const calls = callsOf(page);
      const phone = freshPhone();
      // The code is first, because the sixth character signs in if the number is filled in.
      await screen.fill('One-time code', 'abc234');
      await screen.fill('Phone number', phone.slice(3));
      expect(asked(calls, 'POST /api/auth/login')).toEqual([]);
      await screen.press('Sign in');
      await screen.sees('This code is wrong or has expired.');
      expect(asked(calls, 'POST /api/auth/login').map(({ body }) => JSON.parse(body) as unknown)).toEqual([
        { phone_no: phone, otp: 'ABC234', browser: (await stored(page))['browser'] },
      ]);
    });
  });

  it('[AUTH-001] [AUTH-002] [AUTH-003] [AUTH-004] [AUTH-005] [AUTH-008] [AUTH-032] accepts phone and code, and counts down to the next code', async () => {
    const person = await newPerson(here.world.url, 'Asha Rao');
    await withScreen(here.world, { path: '/login', viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Sign in');
      const prefix = await page.$eval(
        'input[type=tel]',
        (field) => field.previousElementSibling?.textContent,
      );
      expect(prefix).toBe('+91');
      const calls = callsOf(page);
      const link = await page.$eval('main a[href="/register"]', (each) => each.textContent);
      expect(link).toBe('Create an account');

      await screen.fill('One-time code', 'abc2345678');
      expect(await valueOf(page, 'One-time code')).toBe('ABC234');
      for (let letter = 0; letter < 6; letter += 1) await page.keyboard.press('Backspace');
      for (const typed of ['98x7 6b5-4321099', '+91-98765 43210', '०९८७६५४३२१०']) {
        await screen.fill('Phone number', typed);
        expect((await valueOf(page, 'Phone number'))?.replaceAll(' ', '')).toBe('9876543210');
      }

      await screen.fill('Phone number', person.phone.slice(3));
      // The registration has requested a code, so the screen shows the waiting time.
      await screen.press('Send OTP');
      await screen.sees(/Please wait \d+ seconds before asking for another code/);
      await thirtySecondsLater();
      await screen.press('Send OTP');
      await screen.sees(/Send again in \d+ s/);
      const sends = asked(calls, 'POST /api/auth/send-otp').map(({ body }) => JSON.parse(body) as unknown);
      const { browser } = await stored(page);
      expect(browser).toMatch(/^[0-9a-f]{32}$/);
      const send = { phone_no: person.phone, language: 'en', browser };
      expect(sends).toEqual([send, send]);
      // A wrong code shows an error next to the boxes, which are empty and focused.
      await screen.fill('One-time code', 'ABC234');
      await screen.sees('This code is wrong or has expired.');
      expect(await valueOf(page, 'One-time code')).toBe('');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('autocomplete'))).toBe(
        'one-time-code',
      );
      const code = await here.codeTo(person.phone);
      // The complete code at once, pasted with spaces.
      await page.focus('input[autocomplete=one-time-code]');
      await page.evaluate(
        (text) => document.execCommand('insertText', false, text),
        ` ${code.slice(0, 3)} ${code.slice(3).toLowerCase()} `,
      );
      await screen.isAt(/^\/dashboard$/);
      expect(JSON.parse(asked(calls, 'POST /api/auth/login').at(-1)?.body ?? '')).toEqual({
        phone_no: person.phone,
        otp: code,
        browser,
        challenge_id: expect.any(String),
      });
      await screen.sees('All Documents');
      const kept = await stored(page);
      expect(kept['token']).toMatch(/^ey/);
      expect(JSON.parse(kept['user'] ?? '')).toMatchObject({ user_id: person.userId, name: 'Asha Rao' });
    });
  });

  it('sends a code to a corrected number at once: only a number that got a code has to wait', async () => {
    await withScreen(here.world, { path: '/login', viewport: PHONE }, async (screen) => {
      await heading(screen.page, 'Sign in');
      const [mistyped, right] = [freshPhone().slice(3), freshPhone().slice(3)];
      await screen.fill('Phone number', mistyped);
      await screen.press('Send OTP');
      await screen.sees(/Send again in \d+ s/);
      const calls = callsOf(screen.page);
      await screen.fill('Phone number', right);
      await screen.press('Send OTP');
      await screen.sees(/Send again in \d+ s/);
      expect(asked(calls, 'POST /api/auth/send-otp').map(({ body }) => JSON.parse(body) as unknown)).toEqual([
        { phone_no: `+91${right}`, language: 'en', browser: (await stored(screen.page))['browser'] },
      ]);
      await screen.fill('Phone number', mistyped);
      await screen.press('Send OTP');
      await screen.sees(/Please wait \d+ seconds before asking for another code/);
    });
  });

  it('gets the code of the text message from the browser, fills it in and signs in with it', async () => {
    const person = await newPerson(here.world.url, 'Meera Nair');
    await withScreen(here.world, { path: '/robots.txt', viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await page.evaluateOnNewDocument(() => {
        Object.assign(window, { OTPCredential: true });
        navigator.credentials.get = async (options) => {
          Object.assign(window, { otpAsked: JSON.stringify((options as { otp?: unknown }).otp) });
          // TypeScript has no type for this credential (WebOTP).
          return { id: '', type: 'otp', code: 'ABC234' } as unknown as Credential;
        };
      });
      await screen.goto('/login');
      await heading(page, 'Sign in');
      const calls = callsOf(page);
      await thirtySecondsLater();
      await screen.fill('Phone number', person.phone.slice(3));
      await screen.press('Send OTP');
      // The invented code was sent, and the server refused it.
      await screen.sees('This code is wrong or has expired.');
      expect(JSON.parse(asked(calls, 'POST /api/auth/login')[0]?.body ?? '')).toEqual({
        phone_no: person.phone,
        otp: 'ABC234',
        browser: (await stored(page))['browser'],
        challenge_id: expect.any(String),
      });
      expect(await page.evaluate(() => Reflect.get(window, 'otpAsked') as unknown)).toBe(
        '{"transport":["sms"]}',
      );
    });
    const inbox = await fetch(`${here.world.url}/dev/sms?phone_no=${encodeURIComponent(person.phone)}`);
    const [{ text, code } = { text: '', code: '' }] = (await inbox.json()) as {
      text: string;
      code: string;
    }[];
    expect(text.split('\n').at(-1)).toBe(`@${new URL(here.world.url).hostname} #${code}`);
  });
});

/** Backdates the codes sent so far, so that a number can get the next one. */
async function thirtySecondsLater(): Promise<void> {
  await inDatabase(sharedProduct.postgresUrl, 'auth', `UPDATE otp_sends SET at = at - interval '31 seconds'`);
}

describe('Register', () => {
  it('[AUTH-011] [AUTH-012] [AUTH-013] [AUTH-014] [AUTH-015] [AUTH-016] [AUTH-017] [AUTH-018] names missing fields, shows the image, explains which data is kept', async () => {
    const taken = await newPerson(here.world.url, 'Asha Rao');
    await withScreen(here.world, { path: '/register', viewport: WIDE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Create an account');
      const calls = callsOf(page);
      expect(await page.$eval('main a[href="/login"]', (link) => link.textContent)).toBe('Sign in');
      expect(await page.$eval('input[name=email]', (field) => (field as HTMLInputElement).type)).toBe(
        'email',
      );
      const options = await page.$$eval('select[name=govt_id_type] option', (all) =>
        all.flatMap(({ value, textContent }) => (value ? [[value, textContent]] : [])),
      );
      const types = ['Aadhar', 'PAN', 'Passport', 'Driving License', 'Voter ID', 'Other'];
      expect(options).toEqual(types.map((type) => [type, type]));

      /** Waits for a toast and dismisses it, so that a later one with the same text is a new one. */
      const toast = async (text: string): Promise<void> => {
        await toastIs(page, text);
        await screen.press('Dismiss');
        await screen.gone(text);
      };
      await screen.sees('What we keep, and why');
      for (const name of ['Terms & Conditions', 'Privacy Policy']) {
        await screen.press(name);
        await page.waitForSelector('[role=dialog] article', { visible: true });
        await page.keyboard.press('Escape');
        await page.waitForSelector('[role=dialog]', { hidden: true });
      }

      const phone = freshPhone();
      const texts = [
        ['Full name', 'Meera Nair'],
        ['E-mail', `${phone.slice(1)}@example.org`],
        // A digit of a Hindi keyboard.
        ['Phone number', phone.slice(3).replaceAll('6', '६')],
        ['City', 'Kochi'],
        ['State', 'Kerala'],
        ['ID number', 'ABCDE1234F'],
      ] as const;
      for (const [label, text] of texts) await screen.fill(label, text);
      await screen.choose('ID type', 'PAN');
      for (const [label, text] of texts) {
        await page.evaluate(empty, label);
        await screen.press('Register');
        // The app shows the error at the field, not the browser in its own language.
        expect(await faultOf(page)).toMatchObject({ label, inView: true });
        await screen.fill(label, text);
      }
      await screen.choose('ID type', '');
      await screen.press('Register');
      expect(await faultOf(page)).toMatchObject({ label: 'ID type', inView: true });
      expect(asked(calls, 'POST /api/auth/register')).toEqual([]);
      await screen.fill('ID number', '2341 2341 2345');
      await screen.choose('ID type', 'Aadhar');
      await screen.press('Register');
      expect(await faultOf(page)).toMatchObject({
        label: 'ID number',
        says: 'This is not a valid Aadhaar number. Check its 12 digits.',
      });
      await screen.choose('ID type', 'PAN');
      await screen.fill('ID number', 'ABCDE1234F');
      await screen.press('Register');
      await screen.says('Please upload your government ID image');
      expect(await faultOf(page)).toMatchObject({
        label: 'Government ID image',
        says: 'Please upload your government ID image',
        inView: true,
      });
      expect(asked(calls, 'POST /api/auth/register')).toEqual([]);
      const notes = `${here.idCard}.txt`;
      await writeFile(notes, 'no picture');
      await screen.upload(ID_IMAGE, [notes]);
      await toast('Please select an image file');
      const large = `${here.idCard}.large.png`;
      await writeFile(large, Buffer.alloc(10 * 1024 * 1024));
      await screen.upload(ID_IMAGE, [large]);
      await toast('Image size should be less than 10MB');
      expect(await page.$('main figure img')).toBeNull();
      // A file that is not an image gets its error at once, not after sending.
      const broken = `${here.idCard}.broken.png`;
      await writeFile(broken, 'no picture');
      await screen.upload(ID_IMAGE, [broken]);
      await toast('Please select an image file');
      await screen.upload(ID_IMAGE, [here.idCard]);
      await page.waitForSelector('main figure img', { visible: true });
      // A number with an account is refused at its field.
      const free = await valueOf(page, 'Phone number');
      await screen.fill('Phone number', taken.phone.slice(3));
      await screen.press('Register');
      await screen.says('This phone number already has an account. Sign in instead.');
      expect(await faultOf(page)).toMatchObject({ label: 'Phone number', inView: true });
      await screen.fill('Phone number', free ?? '');
      await screen.press('Register');
      await toastIs(page, 'Registration successful! Please login with OTP.');
      await screen.isAt(/^\/login$/);
    });
  });
});

/** Returns the focused invalid field and its error. */
const faultOf = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement;
    const box = field.getBoundingClientRect();
    return {
      label: field.getAttribute('aria-invalid') === 'true' ? field.labels?.[0]?.textContent?.trim() : '',
      says: document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent,
      inView: box.top >= 0 && box.bottom <= window.innerHeight,
    };
  });

/** Runs in the page: empties a field as a user does, with an event for the app. */
function empty(label: string): void {
  const labels = [...document.querySelectorAll('label')];
  const field = labels.find((each) => each.textContent?.trim().startsWith(label))
    ?.control as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, '');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
