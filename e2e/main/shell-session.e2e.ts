/** The session, and the layout around every signed-in screen. */
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { topUp } from '../src/journey.ts';
import {
  DESKTOP,
  follow,
  heading,
  PHONE,
  stored,
  withScreen,
  type Interference,
} from '../src/browser/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { toastIs } from '../src/browser/toasts.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(60_000);

/** A page behind another one does not paint, so polling at frames would not work. */
const hidden = { polling: 100 };
/** The interval of the session check (spec §2), and its length in these tests. Milliseconds. */
const POLL = { from: 30_000, to: 400 };
/** The unused answers to the page's early requests (libs/api-client/src/early.ts). */
type Early = Map<string, unknown> | undefined;

const world = await openBrowser();
const [person, friend] = await Promise.all([
  newPerson(world.url, 'Meera Nair'),
  newPerson(world.url, 'Vikram Shah'),
]);
await topUp(world.url, person, 12.5);

/** Answers one request instead of the server. */
const instead =
  (path: string, status: number, body: unknown): Interference =>
  (request) =>
    new URL(request.url()).pathname === path
      ? { status, contentType: 'application/json', body: JSON.stringify(body) }
      : undefined;

const profileOf = async (who: Person) => (await who.call('GET', '/users/profile')).body;
const write = (content: string) =>
  friend.call('POST', '/messaging/send', { receiver_id: person.userId, content });
const current = (screen: Screen) =>
  screen.page.$$eval('aside nav a[aria-current=page]', (links) =>
    links.map((link) => new URL(link.href).pathname),
  );

it('[LAYOUT-001] [LAYOUT-002] [LAYOUT-003] the sidebar is fixed on a desktop and a drawer on a phone, with all links', async () => {
  const links = (screen: Screen) =>
    screen.page.$$eval('nav[aria-label="Main navigation"] a', (all) =>
      all.filter((link) => link.checkVisibility()).map((link) => new URL(link.href).pathname),
    );
  const all = ['/dashboard', '/document/create', '/document/join', '/chat', '/wallet', '/profile'];
  all.push('/about', '/contact', '/terms', '/privacy');
  await withScreen(world, { path: '/terms', as: person }, async (screen) => {
    const { page } = screen;
    await heading(page, 'Terms & Conditions');
    expect(await links(screen)).toEqual(all);
    const place = () =>
      page.$eval('nav[aria-label="Main navigation"]', (nav) => {
        const { top, bottom, left } = nav.closest('aside')?.getBoundingClientRect() ?? {};
        return { top, bottom, left };
      });
    const before = await place();
    expect(before).toEqual({ top: 0, bottom: DESKTOP.height, left: 0 });
    await page.evaluate(() => window.scrollTo({ top: 400, behavior: 'instant' }));
    await page.waitForFunction(() => window.scrollY === 400);
    expect(await place()).toEqual(before);
  });
  await withScreen(world, { path: '/dashboard', as: person, viewport: PHONE }, async (screen) => {
    await heading(screen.page, 'Dashboard');
    expect(await links(screen)).toEqual([]);
    await screen.press('Open menu');
    await screen.page.waitForSelector('[role=dialog] nav', { visible: true });
    expect(await links(screen)).toEqual(all);
    await screen.press('Terms & Conditions', 'link');
    await heading(screen.page, 'Terms & Conditions');
    await screen.page.waitForSelector('[role=dialog]', { hidden: true });
  });
});

it('requests the data of the first page while its scripts load, and shows it', async () => {
  await withScreen(world, { path: '/dashboard', as: person }, async ({ page, sees, settled }) => {
    await heading(page, 'Dashboard');
    await sees('All Documents');
    // The browser lists a request once it has its answer, which may be after the heading.
    const early = (): Promise<string[]> =>
      page.evaluate(() => {
        const requests = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        const app = requests.find(({ name }) => /\/main\.[0-9a-f]+\.js$/.test(name))?.responseEnd ?? 0;
        const calls = requests.filter(({ name, startTime }) => name.includes('/api/') && startTime < app);
        return calls.map(({ name }) => new URL(name).pathname);
      });
    await until('the answers of the first page are there', async () => (await early()).length >= 9);
    expect(await early()).toHaveLength(9);
    await settled();
    // An answer that is left was requested twice.
    const left = await page.evaluate(() => [
      ...((Reflect.get(window, 'karaarEarly') as Early)?.keys() ?? ['?']),
    ]);
    expect(left).toEqual([]);
  });
});

it('[LAYOUT-004] [LAYOUT-005] marks the link of the current screen, Dashboard only on its exact path', async () => {
  await withScreen(world, { path: '/dashboard', as: person }, async (screen) => {
    await heading(screen.page, 'Dashboard');
    expect(await current(screen)).toEqual(['/dashboard']);
    await follow(screen.page, '/document/join?code=9H4TR2WK');
    await heading(screen.page, 'Join Document');
    expect(await current(screen)).toEqual(['/document/join']);
    // The other links are also marked on the paths below them.
    await follow(screen.page, `/chat/${friend.userId}`);
    await screen.page.waitForSelector('nav a[href="/chat"][aria-current=page]');
    expect(await current(screen)).toEqual(['/chat']);
  });
});

it('[LAYOUT-008] [LAYOUT-011] [LAYOUT-012] [LAYOUT-013] shows the user’s name, ID and balance', async () => {
  await withScreen(world, { path: '/dashboard', as: person }, async ({ page, sees, settled }) => {
    await sees('Welcome, Meera Nair');
    const bar = await page.waitForSelector('header ::-p-text(12.50)');
    expect(bar).not.toBeNull();
    await settled();
    const top = await page.$eval('header', (header) => header.innerText);
    expect(top).toContain(`${person.phone.slice(1)}@example.org`);
    expect(top.replaceAll(/\s/g, '')).toContain(person.charId);
    expect(top).toMatch(/\b12\.50\s+coins\b/);
    const wallet = await page.$eval('nav a[href="/wallet"]', (link) => link.innerText);
    expect(wallet).toMatch(/Wallet\s*12\.50/);
    // A complete profile gets no prompt.
    expect(top).not.toContain('Complete');
  });
});

it('[LAYOUT-014] [LAYOUT-015] [PROFILE-006] [PROFILE-007] [PROFILE-008] [PROFILE-009] [PROFILE-010] asks for each missing part of a profile, shows its completeness, and links to it', async () => {
  const whole = await profileOf(person);
  const fields = ['name', 'email', 'phone_no', 'city', 'state'];
  fields.push('govt_id_type', 'govt_id_number', 'govt_id_image');
  const nothing = ['', null, undefined];
  const without = (...names: string[]) => ({
    ...whole,
    ...Object.fromEntries(names.map((name, i) => [name, nothing[i % nothing.length]])),
  });
  let answer: Record<string, unknown> = whole;
  const interfere: Interference = (request) => instead('/api/users/profile', 200, answer)(request);
  const options = { path: '/wallet', as: person, hurry: POLL, interfere };
  await withScreen(world, options, async ({ page, press }) => {
    await heading(page, 'Wallet');
    /** Waits until the layout shows this completeness or no prompt, and checks the stored user. */
    const shows = async (share: number, missing: string[]): Promise<void> => {
      await page.waitForFunction(
        (wanted: number) => {
          const bar = document.querySelector('header')?.innerText ?? 'Complete';
          const kept = localStorage.getItem('user') ?? '';
          const pill =
            wanted === 100 ? !bar.includes('Complete') : bar.includes(`Profile ${wanted}% Complete`);
          return pill && kept.includes(`"completionPercentage":${wanted},`);
        },
        { polling: 50 },
        share,
      );
      const { profile } = JSON.parse((await stored(page))['user'] ?? '') as {
        profile: { missing: string[] };
      };
      expect({ ...profile, missing: profile.missing.toSorted() }).toEqual({
        isComplete: share === 100,
        completionPercentage: share,
        missing: missing.toSorted(),
      });
    };
    await shows(100, []);
    for (const [i, field] of fields.entries()) {
      answer = { ...whole, [field]: nothing[i % nothing.length] };
      await shows(88, [field]);
      answer = whole;
      await shows(100, []);
    }
    answer = without(...fields);
    await shows(0, fields);
    answer = without('city', 'state');
    await shows(75, ['city', 'state']);
    await press('Profile 75% Complete', 'link');
    await heading(page, 'Profile');
    expect(new URL(page.url()).pathname).toBe('/profile');
  });
});

it('[AUTH-042] [AUTH-043] every request goes to /api, with the token of local storage', async () => {
  const calls: { path: string; token: string | undefined }[] = [];
  const interfere: Interference = (request) => {
    const called = ['fetch', 'xhr'].includes(request.resourceType());
    const { pathname: path } = new URL(request.url());
    if (called) calls.push({ path, token: request.headers()['authorization'] });
    return undefined;
  };
  await withScreen(world, { path: '/dashboard', as: person, interfere }, async ({ page, press }) => {
    await heading(page, 'Dashboard');
    await press('Profile', 'link');
    await heading(page, 'Profile');
    await page.waitForNetworkIdle();
    // The files of the front end have an extension.
    const asked = calls.filter(({ path }) => !/\.\w+$/.test(path));
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter(({ path }) => !path.startsWith('/api/'))).toEqual([]);
    const bearer = `Bearer ${(await stored(page))['token'] ?? ''}`;
    expect(asked.filter(({ token }) => token !== bearer)).toEqual([]);
  });
});

it('[LAYOUT-006] [LAYOUT-016] [LAYOUT-017] polls profile and unread count, and updates the count', async () => {
  const asked: string[] = [];
  const interfere: Interference = (request) =>
    void asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  await withScreen(world, { path: '/dashboard', as: person, hurry: POLL, interfere }, async ({ page }) => {
    await heading(page, 'Dashboard');
    await write('Hello');
    await write('Are you there?');
    await page.waitForSelector('nav a[href="/chat"] ::-p-text(2 unread)');
    asked.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 3 * POLL.to));
    for (const call of ['GET /api/users/profile', 'GET /api/messaging/unread-count'])
      expect(asked.filter((each) => each === call).length).toBeGreaterThanOrEqual(2);
  });
});

it.each([
  [99, '99'],
  [100, '99+'],
])('[LAYOUT-007] shows %i unread messages as %s', async (count, text) => {
  const interfere = instead('/api/messaging/unread-count', 200, { unread_count: count });
  await withScreen(world, { path: '/dashboard', as: person, interfere }, async ({ page }) => {
    await page.waitForSelector('nav a[href="/chat"] ::-p-text(unread)');
    const seen = await page.$$eval('aside nav a[href="/chat"] [aria-hidden=true]', (all) =>
      all.map((each) => each.textContent).filter(Boolean),
    );
    expect(seen).toEqual([text]);
  });
});

it('[LAYOUT-009] opening Profile from the sidebar requests the profile again', async () => {
  const asked: string[] = [];
  const interfere: Interference = (request) =>
    void asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  await withScreen(world, { path: '/wallet', as: person, interfere }, async ({ page, press }) => {
    await heading(page, 'Wallet');
    await page.waitForNetworkIdle();
    asked.length = 0;
    await press('Profile', 'link');
    await heading(page, 'Profile');
    await page.waitForNetworkIdle();
    expect(asked).toContain('GET /api/users/profile');
  });
});

it('[AUTH-036] [AUTH-037] [AUTH-038] [AUTH-066] a reloaded page continues with the stored session, unless the stored user is corrupt', async () => {
  await withScreen(world, { path: '/wallet', as: person }, async ({ page, isAt, settled }) => {
    await heading(page, 'Wallet');
    await settled();
    const kept = (await stored(page))['user'] ?? '';
    expect(JSON.parse(kept)).toMatchObject({ name: 'Meera Nair' });
    // Only the data that the layout shows, without identity documents and address.
    const shown = ['char_id', 'email', 'is_admin', 'name', 'phone_no', 'profile', 'user_id'];
    expect(Object.keys(JSON.parse(kept) as object).toSorted()).toEqual(shown);
    const { city, govt_id_number, govt_id_image } = await profileOf(person);
    for (const secret of [city, govt_id_number, govt_id_image]) expect(kept).not.toContain(secret);
    await page.reload();
    await heading(page, 'Wallet');
    // At the next load, because the open page may still store the requested profile.
    await page.evaluateOnNewDocument(() => localStorage.setItem('user', '{"name":'));
    await page.reload();
    await isAt(/^\/login$/);
    expect(await stored(page)).not.toHaveProperty('token');
  });
});

it('leaving a page during its profile request does not end the session', async () => {
  let asked = 0;
  const never: Interference = (request) => {
    if (!request.url().endsWith('/api/users/profile')) return undefined;
    asked += 1;
    return asked === 1 ? 'never' : undefined;
  };
  await withScreen(world, { path: '/wallet', as: person, interfere: never }, async ({ page }) => {
    while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await page.reload();
    await heading(page, 'Wallet');
  });
});

it('[AUTH-039] a token without a stored user or a profile from the server is not a session', async () => {
  const interfere = instead('/api/users/profile', 500, { detail: 'down', code: 'internal' });
  await withScreen(world, { path: '/wallet', as: person, interfere }, async ({ page, isAt }) => {
    await isAt(/^\/login$/);
    await heading(page, 'Sign in');
    expect(await stored(page)).not.toHaveProperty('token');
  });
});

it('[AUTH-041] a 401 ends the session, and signing in leads back to the open page', async () => {
  let ended = false;
  const answer = signInAnswer(person);
  const interfere: Interference = (request) =>
    ended && request.url().endsWith('/api/users/profile')
      ? { status: 401, contentType: 'application/json', body: '{"detail":"Your session has ended"}' }
      : answer(request);
  const options = { path: '/document/join?code=9H4TR2WK', as: person, hurry: POLL, interfere };
  await withScreen(world, options, async (screen) => {
    await heading(screen.page, 'Join Document');
    ended = true;
    await screen.isAt(/^\/login$/);
    await heading(screen.page, 'Sign in');
    await screen.sees('Your session has ended. Sign in to go on.');
    expect(Object.keys(await stored(screen.page))).not.toEqual(expect.arrayContaining(['token']));
    expect(await stored(screen.page)).not.toHaveProperty('user');
    ended = false;
    await signIn(screen, person);
    await heading(screen.page, 'Join Document');
    expect(screen.page.url()).toMatch(/\/document\/join\?code=9H4TR2WK$/);
  });
});

it('[AUTH-010] [AUTH-033] [AUTH-040] [ERROR-046] a link opened before sign-in is open after it, even if the profile request fails', async () => {
  const broken = instead('/api/users/profile', 500, { detail: 'down', code: 'internal' });
  const answer = signInAnswer(friend);
  const interfere: Interference = (request) => broken(request) ?? answer(request);
  await withScreen(world, { path: '/document/join', interfere }, async (screen) => {
    await heading(screen.page, 'Sign in');
    await screen.press('Send OTP');
    await screen.says('Enter a valid 10-digit phone number');
    await signIn(screen, friend);
    await screen.isAt(/^\/document\/join$/);
    const { token, user } = await stored(screen.page);
    expect(token).toBe(friend.token);
    const minimal = {
      user_id: friend.userId,
      char_id: friend.charId,
      phone_no: friend.phone,
      is_admin: false,
    };
    expect(JSON.parse(user ?? '')).toMatchObject({ ...minimal, name: '' });
    await screen.says('Welcome, Unknown User');
  });
});

it('[LAYOUT-010] [AUTH-034] [AUTH-064] [ERROR-048] Logout ends the session in every tab, and Back does not restore it', async () => {
  const leaver = await newPerson(world.url, 'Asha Rao');
  const interfere = signInAnswer(person);
  await withScreen(world, { path: '/wallet', as: leaver, interfere }, async (screen) => {
    await heading(screen.page, 'Wallet');
    const other = await screen.page.browserContext().newPage();
    await other.goto(`${world.url}/profile`);
    await heading(other, 'Profile');
    await screen.page.bringToFront();
    await screen.press('Logout');
    await screen.isAt(/^\/login$/);
    await toastIs(screen.page, 'Logged out successfully');
    await other.waitForFunction(() => location.pathname === '/login', hidden);
    for (const name of ['token', 'user']) expect(await stored(screen.page)).not.toHaveProperty(name);
    // All services know the end of a session within a second.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const [method, path] of [
      ['GET', '/users/profile'],
      ['GET', '/documents/my-documents'],
      ['GET', '/payments/my-payments'],
      ['GET', '/wallet/balance'],
      ['GET', '/messaging/unread-count'],
      ['GET', '/notifications/unread-count'],
      ['GET', '/cms/pages'],
      ['POST', '/documents/verification/validate'],
    ] as const) {
      const { status } = await leaver.once(method, path);
      expect({ path, status }).toEqual({ path, status: 401 });
    }
    await signIn(screen, person);
    await heading(screen.page, 'Dashboard');
    // The other tab shows the new user, without data of the previous one.
    await other.waitForFunction(() => document.body.innerText.includes('Meera Nair'), hidden);
  });
});

/** Signs in. The browser answers with an existing session, because a number gets a code only every 30 s. */
async function signIn(screen: Screen, who: Person): Promise<void> {
  await screen.fill('Phone number', who.phone.slice(3));
  await screen.fill('One-time code (OTP)', 'ABC234');
}

const signInAnswer = (who: Person): Interference =>
  instead('/api/auth/login', 200, { access_token: who.token, user_id: who.userId, char_id: who.charId });
