/** The sign-in of admins, their screens, and the roles that may open each, on a desktop and on a phone. */
import { jest } from '@jest/globals';
import { ADMIN_ROLES } from '@karaar/contracts/kit';
import { screenRoutes } from '@karaar/contracts/screens';
import { until } from '@karaar/testing/until';
import { generate } from 'otplib';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { adminScreen, asks, heading, newAdmin, stored } from '../src/admins.ts';
import { openScreen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { url } = sharedProduct;
const SOME_DOCUMENT = '019a0000-0000-7000-8000-000000000000';

const { browser } = await openBrowser();
const boss = await newAdmin('super-admin');
const screen = await adminScreen(browser, boss);

describe('sign-in', () => {
  it('[ADMIN-001] [ADMIN-002] [ADMIN-003] [ERROR-045] [ROUTE-021] [ROUTE-022] [ROUTE-036] admits an admin with user name and password, and keeps the token', async () => {
    const screen = await openScreen(browser, url, WIDE);
    const { page, goto, fill, press, sees, says, isAt } = screen;
    await goto('/admin/login');
    await fill('Username', boss.username);
    await fill('Password', 'not-the-password');
    await press('Sign in');
    await says('Invalid admin credentials');
    expect(await stored(page, 'admin_token')).toBeNull();

    await fill('Password', boss.password);
    const login = asks(page, 'POST', /\/api\/admin\/login$/);
    const first = asks(page, 'GET', /\/api\/admin\/users\/page/);
    await press('Sign in');
    await login;
    const token = (await first).headers()['authorization'];
    await isAt(/^\/admin\/users$/);
    expect(token).toBe(`Bearer ${String(await stored(page, 'admin_token'))}`);
    expect(await stored(page, 'token')).toBeNull();
    await goto('/admin');
    await isAt(/^\/admin\/users$/);
    await goto('/admin/login');
    await isAt(/^\/admin\/users$/);

    await press('Sign out');
    await isAt(/^\/admin\/login$/);
    await goto('/admin/documents');
    await isAt(/^\/admin\/login$/);
    await sees('Password');
    expect(await stored(page, 'admin_token')).toBeNull();
    await screen.close();
  });

  it('[ROUTE-029] shows nothing without a token, with a user’s token or with a forged one', async () => {
    const paths = screenRoutes.flatMap(({ path, access }) =>
      access === 'admin' ? [path.replace(':id', SOME_DOCUMENT)] : [],
    );
    expect(paths).toEqual(expect.arrayContaining(['/admin/users', '/admin/cms/privacy']));
    const stranger = await openScreen(browser, url, WIDE);
    const user = await signedIn(browser, url, 'Curious Nair', WIDE);
    // The visitor without a token tries every third path.
    for (const [each, tried] of [
      [user.screen, [...paths, '/admin']],
      [stranger, paths.filter((_path, at) => at % 3 === 0)],
    ] as const)
      for (const path of tried) {
        await each.goto(path);
        await each.isAt(/^\/admin\/login$/);
      }
    expect(await user.screen.page.evaluate(() => localStorage.getItem('token'))).toBe(user.person.token);
    await stranger.page.evaluate(() => localStorage.setItem('admin_token', 'e30.e30.x'));
    await stranger.goto('/admin/users');
    await stranger.isAt(/^\/admin\/login$/);
    await stranger.close();
    await user.screen.close();
  });

  it('a user never downloads the admin app', async () => {
    const { screen: own } = await signedIn(browser, url, 'Plain Joshi', WIDE);
    const asked: string[] = [];
    own.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const [path, title] of [
      ['/dashboard', 'Dashboard'],
      ['/wallet', 'Wallet'],
      ['/profile', 'Profile'],
    ] as const) {
      await own.goto(path);
      await until(
        title,
        async () => (await own.page.$('main h1')) !== null && (await heading(own.page)) === title,
      );
    }
    await own.settled();
    expect(asked.some((path) => path.startsWith('/mfe/user/'))).toBe(true);
    expect(asked.filter((path) => path.startsWith('/mfe/admin/'))).toEqual([]);
    await own.close();
  });

  it('requires the second step once it is set up, and accepts a recovery code once', async () => {
    const careful = await newAdmin('editor');
    const own = await adminScreen(browser, careful);
    const { page, goto, fill, press, sees, isAt } = own;
    await goto('/admin/security');
    await press('Begin');
    await fill('Your password', careful.password);
    await page.keyboard.press('Enter');
    await sees('Or type this key into the app:');
    const secret = await page.$eval('main code', (element) => element.textContent?.replaceAll(' ', '') ?? '');
    await fill('6-digit code', await generate({ secret }));
    await press('Turn on');
    await sees('Your recovery codes');
    const codes = await page.$$eval('main ul[translate="no"] li', (all) =>
      all.map((each) => each.textContent),
    );
    expect(new Set(codes).size).toBe(10);
    await press('I have written them down');
    await sees('10 recovery codes are left');
    await press('Sign out');

    const enter = async (recovery: string) => {
      await fill('Username', careful.username);
      await fill('Password', careful.password);
      await press('Sign in');
      await sees('Second step');
      await press('Use a recovery code');
      await fill('Recovery code', recovery);
      await press('Sign in');
    };
    await enter(String(codes[0]));
    // An editor may not open the list of users.
    await isAt(/^\/admin\/cms$/);
    await press('Sign out');
    await isAt(/^\/admin\/login$/);
    await enter(String(codes[0]));
    await sees(/wrong or was used already/);
    await own.close();
  });
});

describe('the admin screens', () => {
  it.each([
    ['[ROUTE-023]', '/admin/users', 'Users', '[role=columnheader]'],
    ['[ROUTE-024]', '/admin/documents', 'Documents', 'h1'],
    ['[ROUTE-025]', '/admin/payments', 'Payments', 'h1'],
    ['[ROUTE-026]', '/admin/pricing', 'Pricing', 'input[inputmode=decimal]'],
    ['[ROUTE-027]', '/admin/cms', 'Pages', 'a[href="/admin/cms/terms"]'],
    ['the trail:', '/admin/audit', 'Audit log', 'h1'],
    ['the charts:', '/admin/overview', 'Overview', 'h1'],
  ])('%s %s shows %s', async (_row, path, title, part) => {
    await screen.goto(path);
    await screen.page.waitForSelector(`main ${part}`);
    await until(
      title,
      async () => (await screen.page.$('main h1')) !== null && (await heading(screen.page)) === title,
    );
    await screen.isAt(new RegExp(`^${path}$`));
  });

  it('[ADMIN-004] the sidebar leads to Users, Documents, Payments, Pricing and CMS, on a phone from a drawer', async () => {
    await screen.goto('/admin/users');
    const links = [
      ['Documents', '/admin/documents'],
      ['Payments', '/admin/payments'],
      ['Pricing', '/admin/pricing'],
      ['CMS', '/admin/cms'],
      ['Users', '/admin/users'],
    ] as const;
    for (const [name, path] of links) {
      await screen.press(name, 'link');
      await screen.isAt(new RegExp(`^${path}$`));
    }
    const sidebar = await screen.page.$$eval('nav[aria-label="Administration"] a', (all) =>
      all.map((link) => [link.textContent?.trim(), link.getAttribute('href')]),
    );
    expect(sidebar).toEqual(expect.arrayContaining(links.map((link) => [...link])));
    const phone = await adminScreen(browser, boss, PHONE);
    await phone.goto('/admin/users');
    await phone.press('Open menu');
    await phone.press('Pricing', 'link');
    await phone.isAt(/^\/admin\/pricing$/);
    await phone.sees('Daily rate in rupees');
    await phone.close();
  });

  it('[ROUTE-028] each static page has its editor', async () => {
    for (const [slug, title] of [
      ['about', 'About Us'],
      ['contact', 'Contact Support'],
      ['terms', 'Terms & Conditions'],
      ['privacy', 'Privacy Policy'],
    ] as const) {
      await screen.goto(`/admin/cms/${slug}`);
      await screen.page.waitForSelector('main textarea');
      expect(await heading(screen.page)).toBe(title);
      await screen.isAt(new RegExp(`^/admin/cms/${slug}$`));
    }
  });
});

it('each role sees the screens that it may open, and a refusal on the others, as the services do', async () => {
  for (const role of ADMIN_ROLES) {
    const own = await adminScreen(browser, await newAdmin(role));
    await own.goto('/admin/security');
    await own.sees('Set the authenticator app up');
    const links = await own.page.$$eval('nav[aria-label="Administration"] a', (all) =>
      all.map((each) => each.getAttribute('href')),
    );
    const allowed = screenRoutes.filter(({ roles }) => roles?.includes(role)).map(({ path }) => path);
    expect(allowed).toEqual(expect.arrayContaining(links as string[]));
    const closed = [
      '/admin/users',
      '/admin/documents',
      '/admin/payments',
      '/admin/pricing',
      '/admin/cms',
      '/admin/audit',
    ];
    expect(closed.filter((path) => links.includes(path))).toEqual(
      closed.filter((path) => allowed.includes(path)),
    );
    // All refusals have the same text.
    const refused = closed.filter((path) => !allowed.includes(path) && path !== '/admin/users');
    for (const path of refused.slice(0, 2)) {
      await own.goto(path);
      await own.sees('Your role cannot open this page');
    }
    await own.close();
  }
});
