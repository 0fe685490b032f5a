/** One socket for the whole app, through the gateway: a user's act appears on the other user's page at once. */
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { createDocument, invite } from '../src/journey.ts';
import { DESKTOP, heading, withScreen } from '../src/browser/opened.ts';
import { newPerson, verification } from '../src/person.ts';
import { openScreen } from '../src/browser/screen.ts';
import { reloadWithSocket } from '../src/browser/socket.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const world = await openBrowser();
const [owner, guest] = await Promise.all([
  newPerson(world.url, 'Meera Nair'),
  newPerson(world.url, 'Vikram Shah'),
]);

/** Shorter than every poll of the screens. */
const AT_ONCE = { timeout: 5_000, polling: 50 };
/** The longest time from the answer of an approval to the other party's screen. Milliseconds. */
const SHOWN_WITHIN_MS = 1_000;
const socketsOf = (urls: string[]) => urls.filter((url) => url.includes('/socket.io/'));

it("shows the other party's acceptance, a new message and a new agreement without a reload", async () => {
  const id = await createDocument(owner);
  await withScreen(world, { path: '/dashboard', as: guest }, async (guestScreen) => {
    await heading(guestScreen.page, 'Dashboard');
    await reloadWithSocket(guestScreen.page);
    await heading(guestScreen.page, 'Dashboard');
    const opened: string[] = [];
    await withScreen(world, { path: `/document/${id}`, as: owner }, async ({ page }) => {
      await heading(page, 'Rent agreement');
      const devtools = await page.createCDPSession();
      await devtools.send('Network.enable');
      devtools.on('Network.webSocketCreated', ({ url }) => opened.push(url));
      await reloadWithSocket(page);
      await heading(page, 'Rent agreement');

      await invite(owner, guest, id);
      await guestScreen.page.waitForFunction(
        () => document.body.innerText.includes('Pending Agreements (1)'),
        AT_ONCE,
      );
      await page.waitForFunction(() => document.body.innerText.includes('Vikram Shah'), AT_ONCE);

      const images = await verification(2);
      await guest.send(`/documents/${id}/respond-agreement`, {
        response: 'accept',
        ...images,
        thumb: images.profile_pic,
      });
      const before = Date.now();
      await page.waitForFunction(
        () => /Vikram Shah[\s\S]{0,80}Approved/i.test(document.body.innerText),
        AT_ONCE,
      );
      expect(Date.now() - before).toBeLessThan(SHOWN_WITHIN_MS);

      await guestScreen.page.evaluate((path: string) => {
        history.pushState({ idx: 1 }, '', path);
        dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
      }, `/document/${id}`);
      await heading(guestScreen.page, 'Rent agreement');
      const stamped = (status: string) =>
        guestScreen.page.waitForSelector(`[data-status="${status}"]`, { timeout: AT_ONCE.timeout });
      await stamped('pending');
      await owner.call('PUT', `/documents/${id}/approve/${owner.userId}`);
      const approvedAt = Date.now();
      await stamped('approved');
      expect(Date.now() - approvedAt).toBeLessThan(SHOWN_WITHIN_MS);

      await guest.call('POST', '/messaging/send', { receiver_id: owner.userId, content: 'I have signed.' });
      await page.waitForSelector('nav a[href="/chat"] ::-p-text(1 unread)', { timeout: AT_ONCE.timeout });
      expect(socketsOf(opened)).toHaveLength(1);
    });
  });
});

it('requests lists again some seconds after the socket is connected, if their answers came before', async () => {
  // A user without documents, because a change of a document would request the list as well.
  const quiet = await newPerson(world.url, 'Leela Menon');
  await withScreen(world, { path: '/dashboard', as: quiet }, async ({ page }) => {
    await heading(page, 'Dashboard');
    const devtools = await page.createCDPSession();
    await devtools.send('Network.enable');
    const asked: number[] = [];
    const opened: number[] = [];
    devtools.on('Network.requestWillBeSent', ({ request }) => {
      if (request.url.includes('/my-documents/page')) asked.push(Date.now());
    });
    devtools.on('Network.webSocketCreated', ({ url }) => {
      if (socketsOf([url]).length > 0) opened.push(Date.now());
    });
    await page.reload();
    await until('the list is asked for again', () => opened.length > 0 && asked.length > 1, 30_000);
    // Not in the first seconds, when the user begins to use the page.
    expect((asked[1] ?? 0) - (opened[0] ?? Infinity)).toBeGreaterThan(4_000);
    expect(asked).toHaveLength(2);
  });
});

it('closes the socket with the session, and redirects to sign-in', async () => {
  const leaver = await newPerson(world.url, 'Asha Rao');
  await withScreen(world, { path: '/wallet', as: leaver }, async ({ page, isAt }) => {
    await heading(page, 'Wallet');
    const devtools = await page.createCDPSession();
    await devtools.send('Network.enable');
    await reloadWithSocket(page);
    let closedAt: number | undefined;
    devtools.on('Network.webSocketClosed', () => (closedAt ??= Date.now()));
    // As on another device.
    await leaver.call('POST', '/auth/logout');
    const since = Date.now();
    await until('the socket is closed', () => closedAt !== undefined, 20_000);
    expect((closedAt ?? Infinity) - since).toBeLessThan(2_000);
    await isAt(/^\/login$/);
  });
});

it('polls without a socket: invitations, and a document that the user waits to join', async () => {
  const id = await createDocument(owner);
  const late = await newPerson(world.url, 'Nila Iyer');
  const screen = await openScreen(world.browser, world.url, DESKTOP);
  try {
    const { page } = screen;
    await page.evaluateOnNewDocument((token: string) => {
      localStorage.setItem('token', token);
      const real = window.setInterval.bind(window);
      const quick = (handler: TimerHandler, ms?: number) => real(handler, ms === 10_000 ? 500 : ms);
      window.setInterval = quick as typeof window.setInterval;
      // As behind a proxy that blocks sockets.
      window.WebSocket = class extends EventTarget {
        constructor() {
          super();
          setTimeout(() => this.dispatchEvent(new Event('error')));
        }
        close() {}
        // Only the parts that a client uses when the connection fails.
      } as unknown as typeof WebSocket;
    }, late.token);
    await screen.goto('/dashboard');
    await heading(page, 'Dashboard');
    await owner.call('POST', `/documents/${id}/add-user`, { target_user_char_id: late.charId });
    await screen.sees('Pending Agreements (1)', 5_000);

    await owner.call('DELETE', `/documents/${id}/remove-user/${late.userId}`);
    await screen.goto(`/document/${id}`);
    await screen.sees('You do not have access to');
    await owner.call('POST', `/documents/${id}/add-user`, { target_user_char_id: late.charId });
    await screen.sees('Involved Users', 5_000);
  } finally {
    await screen.close();
  }
});
