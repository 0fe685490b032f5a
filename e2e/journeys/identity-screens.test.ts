/** Login, Register and Profile as people meet them, on a phone and on a desktop, also by the keyboard alone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/chromium';
import { idCardPng } from '@karaar/testing/faces';
import { until } from '@karaar/testing/until';
import pg from 'pg';
import type { Page } from 'puppeteer-core';
import { heading, PHONE, withScreen, type World } from '../src/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { freshPhone } from '../src/signed-in.ts';

jest.setTimeout(90_000);

const DESKTOP = { width: 1440, height: 900 };
const IMAGE = 'input[name=govt_id_image]';

let chromium: TestBrowser;
let world: World;
let folder: string;
let idCard: string;
beforeAll(async () => {
  chromium = await launchChromium();
  world = { url: sharedProduct.url, browser: chromium.browser };
  folder = await mkdtemp(join(tmpdir(), 'karaar-identity-'));
  idCard = join(folder, 'id.png');
  await writeFile(idCard, await idCardPng());
}, 120_000);
afterAll(async () => {
  await chromium.close();
  await rm(folder, { recursive: true, force: true });
});

type Call = { call: string; body: string };
/** What the page asks of the API from now on. */
function callsOf(page: Page): Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/'))
      calls.push({ call: `${request.method()} ${pathname}`, body: request.postData() ?? '' });
  });
  return calls;
}
const asked = (calls: Call[], call: string): Call[] => calls.filter((each) => each.call === call);

async function codeTo(phone: string): Promise<string> {
  const inbox = await fetch(`${world.url}/dev/sms?phone_no=${encodeURIComponent(phone)}`);
  const [newest] = (await inbox.json()) as { code: string | null }[];
  if (!newest?.code) throw new Error(`no code for ${phone}`);
  return newest.code;
}
const valueOf = (page: Page, label: string) =>
  page.$$eval(
    'label',
    (labels, wanted) =>
      (labels.find((each) => each.textContent?.trim().startsWith(wanted))?.control as HTMLInputElement | null)
        ?.value,
    label,
  );
/** Walks with the Tab key until what has the focus is named like this. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const here = document.activeElement as HTMLInputElement | null;
      const labels = [...(here?.labels ?? [])].map((label) => label.textContent);
      return [here?.getAttribute('aria-label'), ...labels, here?.textContent].map(
        (text) => text?.trim() ?? '',
      );
    });
    if (focused.some((text) => text.startsWith(name))) return;
  }
  throw new Error(`the Tab key does not come to '${name}'`);
}

describe('Login', () => {
  it('[AUTH-001] [AUTH-005] [AUTH-006] [AUTH-008] [AUTH-009] takes phone and code, counts down to the next one', async () => {
    const person = await newPerson(world.url, 'Asha Rao', freshPhone());
    await withScreen(world, { path: '/login', viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Sign in');
      const calls = callsOf(page);
      await screen.press('Sign in');
      await screen.sees('Please fill in all fields');
      expect(calls).toEqual([]);
      await screen.sees('+91');
      const link = await page.$eval('main a[href="/register"]', (each) => each.textContent);
      expect(link).toBe('Create an account');

      await screen.fill('Phone number', person.phone.slice(3));
      // Registering this person asked for a code already: the screen says how long to wait.
      await screen.press('Send OTP');
      await screen.sees(/Please wait \d+ seconds before asking for another code/);
      await thirtySecondsLater();
      await screen.press('Send OTP');
      await screen.sees(/Send again in \d+ s/);
      const sends = asked(calls, 'POST /api/auth/send-otp').map(({ body }) => JSON.parse(body) as unknown);
      expect(sends).toEqual([{ phone_no: person.phone }, { phone_no: person.phone }]);
      const code = await codeTo(person.phone);
      // The whole code at once, with the spaces that people copy along.
      await page.focus('input[autocomplete=one-time-code]');
      await page.evaluate(
        (text) => document.execCommand('insertText', false, text),
        ` ${code.slice(0, 3)} ${code.slice(3).toLowerCase()} `,
      );
      expect(await valueOf(page, 'One-time code')).toBe(code);
      await screen.press('Sign in');
      await screen.isAt(/^\/dashboard$/);
      expect(JSON.parse(asked(calls, 'POST /api/auth/login')[0]?.body ?? '')).toEqual({
        phone_no: person.phone,
        otp: code,
      });
    });
  });

  it('works by the keyboard alone', async () => {
    const person = await newPerson(world.url, 'Vikram Shah', freshPhone());
    await withScreen(world, { path: '/login', viewport: DESKTOP }, async ({ page, isAt, sees }) => {
      await heading(page, 'Sign in');
      await thirtySecondsLater();
      await tabTo(page, 'Phone number');
      await page.keyboard.type(person.phone.slice(3));
      await tabTo(page, 'Send OTP');
      await page.keyboard.press('Enter');
      await sees(/Send again in \d+ s/);
      // The focus has gone on to the code.
      await page.keyboard.type(await codeTo(person.phone));
      await page.keyboard.press('Enter');
      await isAt(/^\/dashboard$/);
    });
  });

  it('asks the browser for the code of the text, and fills it in', async () => {
    const person = await newPerson(world.url, 'Meera Nair', freshPhone());
    await withScreen(world, { path: '/robots.txt', viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await page.evaluateOnNewDocument(() => {
        Object.assign(window, { OTPCredential: true });
        navigator.credentials.get = async (options) => {
          Object.assign(window, { otpAsked: JSON.stringify((options as { otp?: unknown }).otp) });
          return { id: '', type: 'otp', code: 'ABC234' } as unknown as Credential;
        };
      });
      await screen.goto('/login');
      await heading(page, 'Sign in');
      await thirtySecondsLater();
      await screen.fill('Phone number', person.phone.slice(3));
      await screen.press('Send OTP');
      await until('the code is filled in', async () => (await valueOf(page, 'One-time code')) === 'ABC234');
      expect(await page.evaluate(() => Reflect.get(window, 'otpAsked') as unknown)).toBe(
        '{"transport":["sms"]}',
      );
    });
    const inbox = await fetch(`${world.url}/dev/sms?phone_no=${encodeURIComponent(person.phone)}`);
    const [{ text, code } = { text: '', code: '' }] = (await inbox.json()) as {
      text: string;
      code: string;
    }[];
    expect(text.split('\n').at(-1)).toBe(`@${new URL(world.url).hostname} #${code}`);
  });
});

/** Lets the codes that were sent so far be older than the wait between two of them. */
async function thirtySecondsLater(): Promise<void> {
  const url = new URL(sharedProduct.postgresUrl);
  url.pathname = '/karaar_auth';
  const db = new pg.Client({ connectionString: url.toString() });
  await db.connect();
  await db.query(`UPDATE otp_sends SET at = at - interval '31 seconds'`);
  await db.end();
}

describe('Register', () => {
  it('[AUTH-011] [AUTH-012] [AUTH-013] [AUTH-014] [AUTH-015] [AUTH-016] says what is missing, shows the image, tells what is kept', async () => {
    await withScreen(world, { path: '/register', viewport: DESKTOP }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Create an account');
      const calls = callsOf(page);
      expect(await page.$eval('main a[href="/login"]', (link) => link.textContent)).toBe('Sign in');
      expect(await page.$eval('input[name=email]', (field) => (field as HTMLInputElement).type)).toBe(
        'email',
      );
      const options = await page.$$eval('select[name=govt_id_type] option', (all) =>
        all.map((option) => (option as HTMLOptionElement).value).filter(Boolean),
      );
      expect(options).toEqual(['Aadhar', 'PAN', 'Passport', 'Driving License', 'Voter ID', 'Other']);

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
        ['Phone number', phone.slice(3)],
        ['City', 'Kochi'],
        ['State', 'Kerala'],
        ['ID number', 'ABCDE1234F'],
      ] as const;
      for (const [label, text] of texts) await screen.fill(label, text);
      await screen.choose('ID type', 'PAN');
      for (const [label, text] of texts) {
        await page.evaluate(empty, label);
        await screen.press('Register');
        expect(await page.$eval('form', (form) => form.checkValidity())).toBe(false);
        await screen.fill(label, text);
      }
      expect(asked(calls, 'POST /api/auth/register')).toEqual([]);
      await screen.press('Register');
      await screen.sees('Please upload your government ID image');
      await screen.upload(IMAGE, [idCard]);
      await page.waitForSelector('main figure img', { visible: true });
      await screen.press('Register');
      await screen.sees('Registration successful! Please login with OTP.');
      await screen.isAt(/^\/login$/);
    });
  });
});

/** Runs in the page: empties a field as a person would, so that the app sees it. */
function empty(label: string): void {
  const labels = [...document.querySelectorAll('label')];
  const field = labels.find((each) => each.textContent?.trim().startsWith(label))
    ?.control as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, '');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

describe('Profile', () => {
  let person: Person;
  beforeAll(async () => {
    person = await newPerson(world.url, 'Farida Khan', freshPhone());
  }, 60_000);

  it('[PROFILE-001] [PROFILE-002] [PROFILE-003] [PROFILE-004] [PROFILE-005] shows, refreshes, edits and saves the own record', async () => {
    await withScreen(world, { path: '/profile', as: person, viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Profile');
      for (const text of [
        'Farida Khan',
        `${person.phone.slice(1)}@example.org`,
        person.phone,
        'Pune',
        'Maharashtra',
        'PAN',
        'ABCDE1234F',
      ])
        await screen.sees(text);
      await page.waitForSelector('main img[alt="Your government ID image"]');
      const calls = callsOf(page);
      await screen.press('Refresh');
      await screen.sees('Profile refreshed successfully!');
      expect(asked(calls, 'GET /api/users/profile').length).toBeGreaterThan(0);

      await screen.press('Edit');
      await screen.fill('City', 'Mysuru');
      await screen.upload(IMAGE, [idCard]);
      await page.waitForSelector('main figure img', { visible: true });
      const before = await page.$eval('main figure img', (image) => (image as HTMLImageElement).src);
      expect(before).toContain('blob:');
      await screen.press('Save Changes');
      await screen.sees('Profile updated successfully');
      await screen.sees('Mysuru');
      expect(asked(calls, 'PUT /api/users/profile')).toHaveLength(1);
      expect((await person.call('GET', '/users/profile')).body).toMatchObject({
        city: 'Mysuru',
        state: 'Maharashtra',
      });
    });
  });

  it('changes the number by a code that was sent to the new one', async () => {
    const to = freshPhone();
    await withScreen(world, { path: '/profile', as: person, viewport: DESKTOP }, async (screen) => {
      await heading(screen.page, 'Profile');
      await screen.press('Change number');
      await screen.fill('New phone number', '12345');
      await screen.press('Send OTP');
      await screen.sees('Enter a valid 10-digit phone number');
      await screen.fill('New phone number', to.slice(3));
      await screen.press('Send OTP');
      await screen.sees(/Send again in \d+ s/);
      await screen.fill('One-time code (OTP)', await codeTo(to));
      await screen.press('Use this number');
      await screen.sees('Your phone number is changed.');
      await screen.sees(to);
    });
  });

  it('keeps the data to be taken along, lists devices, and signs out everywhere', async () => {
    await withScreen(world, { path: '/profile', as: person, viewport: DESKTOP }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Profile');
      const [exported] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/api/users/profile/export')),
        screen.press('Download my data'),
      ]);
      expect(exported.headers()['content-type']).toBe('application/zip');
      await screen.sees('This device');
      await screen.press('Sign out everywhere');
      await screen.sees('Every device is signed out, this one too.');
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

  it('deletes the account after the own ID was typed', async () => {
    const leaver = await newPerson(world.url, 'Leaves Soon', freshPhone());
    await withScreen(world, { path: '/profile', as: leaver, viewport: PHONE }, async (screen) => {
      const { page } = screen;
      await heading(page, 'Profile');
      await screen.press('Delete account');
      await screen.sees('Delete your account?');
      const confirm = () =>
        page.$$eval('[role=dialog] button', (all) =>
          all.some(
            (each) => each.textContent?.trim() === 'Delete for good' && !(each as HTMLButtonElement).disabled,
          ),
        );
      await screen.fill('Type your user ID', 'WRONG123');
      expect(await confirm()).toBe(false);
      await screen.fill('Type your user ID', leaver.charId.toLowerCase());
      await screen.press('Delete for good');
      await screen.isAt(/^\/login$/);
      const ended = async () => (await leaver.once('GET', '/users/profile')).status === 401;
      await until('the token is refused', ended, 1_000);
    });
  });
});
