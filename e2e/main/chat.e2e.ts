/** Two users who chat in two browsers: online, offline and back, without a socket, and after a block. */
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { listIn } from '@karaar/testing/list-in';
import { inDatabase } from '../src/database.ts';
import { AT_ONCE, bubbles, say, seesBubble, threadOf } from '../src/chat.ts';
import { agree, createDocument } from '../src/journey.ts';
import { heading, PHONE, withScreen, type OpenOptions } from '../src/browser/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { reloadWithSocket } from '../src/browser/socket.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const world = await openBrowser();
const [asha, vikram, meera] = await Promise.all([
  newPerson(world.url, 'Asha Deshpande'),
  newPerson(world.url, 'Vikram Kulkarni'),
  newPerson(world.url, 'Meera Joshi'),
]);

type Stored = { content: string; seq: number };
const conversation = async (reader: Person, other: Person) =>
  listIn<Stored>((await reader.call('GET', `/messaging/conversations/${other.userId}?peek=true`)).body);
async function write(screen: Screen, to: Person, text: string): Promise<void> {
  await screen.fill(`Message to ${to.name}`, text);
  await screen.page.keyboard.press('Enter');
}
/** Long enough for a duplicate to arrive. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 600));

it('[ROUTE-010] [CHAT-007] [CHAT-008] [CHAT-020] [CHAT-021] [CHAT-022] [CHAT-023] a message, its read mark, typing, presence and the unread badge reach the other side at once', async () => {
  await withScreen(world, { path: '/chat', as: vikram, viewport: PHONE }, async (his) => {
    await his.sees('No chats yet');
    await reloadWithSocket(his.page);
    await withScreen(world, threadOf(asha, vikram), async (hers) => {
      await reloadWithSocket(hers.page);
      await heading(hers.page, vikram.name);
      const posted = hers.page.waitForRequest((request) => request.url().endsWith('/api/messaging/send'));
      await write(hers, vikram, '   Have you seen the lease?   ');
      expect((await posted).method()).toBe('POST');
      await seesBubble(hers.page, 'Have you seen the lease?', 'Delivered');
      expect((await conversation(asha, vikram)).map(({ content }) => content)).toEqual([
        'Have you seen the lease?',
      ]);
      await his.sees('Have you seen the lease?', AT_ONCE);
      await his.page.waitForSelector('li a[href^="/chat/"] ::-p-text(1 unread)', { timeout: AT_ONCE });
      await his.page.click(`a[href="/chat/${asha.userId}"]`);
      await heading(his.page, asha.name);
      await seesBubble(hers.page, 'Have you seen the lease?', 'Read');

      await hers.sees('online', AT_ONCE);
      await his.fill(`Message to ${asha.name}`, 'Yes, and');
      await hers.sees('typing …', AT_ONCE);
      await his.page.keyboard.type(' I agree');
      await his.page.keyboard.press('Enter');
      await seesBubble(hers.page, 'Yes, and I agree');
      await hers.gone('typing …', AT_ONCE);
      // She reads it: nothing is unread on either side.
      await seesBubble(his.page, 'Yes, and I agree', 'Read');
      expect((await asha.call('GET', '/messaging/unread-count')).body).toEqual({ unread_count: 0 });
      await his.page.close();
      await hers.gone(/\bonline\b/, AT_ONCE);
    });
  });
});

it('sends messages written offline once the network is back: all, once, in order', async () => {
  await withScreen(world, threadOf(asha, meera), async (hers) => {
    await heading(hers.page, meera.name);
    await withScreen(world, threadOf(meera, asha), async (other) => {
      await heading(other.page, asha.name);
      await hers.page.setOfflineMode(true);
      for (const text of ['First', 'Second', 'Third']) {
        await write(hers, meera, text);
        await seesBubble(hers.page, text, 'Sending');
      }
      expect(await conversation(meera, asha)).toEqual([]);
      await hers.page.setOfflineMode(false);
      await until('all have arrived', async () => (await conversation(meera, asha)).length === 3);
      await until('all are shown', async () => (await bubbles(other.page)).length === 3);
      await aMoment();
      expect((await conversation(meera, asha)).map(({ content, seq }) => [content, seq])).toEqual([
        ['First', 1],
        ['Second', 2],
        ['Third', 3],
      ]);
      for (const page of [hers.page, other.page])
        expect((await bubbles(page)).map((text) => /First|Second|Third/.exec(text)?.[0])).toEqual([
          'First',
          'Second',
          'Third',
        ]);
    });
  });
});

it('keeps unsent messages over a reload, and sends them once', async () => {
  let reachable = false;
  const interfere: OpenOptions['interfere'] = (request) =>
    !reachable && request.url().endsWith('/messaging/send') ? 'reset' : undefined;
  await withScreen(world, threadOf(meera, vikram, { interfere }), async (screen) => {
    await heading(screen.page, vikram.name);
    await write(screen, vikram, 'Before the reload');
    await seesBubble(screen.page, 'Before the reload', 'Sending');
    await screen.page.reload();
    await seesBubble(screen.page, 'Before the reload', 'Sending');
    reachable = true;
    await until('it is stored', async () => (await conversation(vikram, meera)).length > 0, 20_000);
    await seesBubble(screen.page, 'Before the reload', 'Sent');
    await aMoment();
    expect((await conversation(vikram, meera)).map(({ content }) => content)).toEqual(['Before the reload']);
    expect(await bubbles(screen.page)).toHaveLength(1);
  });
});

it('[CHAT-011] polls every second without a socket, and gets 304 if nothing is new', async () => {
  const kiran = await newPerson(world.url, 'Kiran Rao');
  await say(kiran, asha, 'Before');
  await withScreen(world, { path: '/robots.txt', as: asha }, async (screen) => {
    const { page } = screen;
    await page.evaluateOnNewDocument(() => {
      // A network that blocks websockets.
      const Closed = class extends EventTarget {
        onclose?: (event: CloseEvent) => void;
        constructor() {
          super();
          setTimeout(() => this.onclose?.(new CloseEvent('close')), 5);
        }
        close() {
          return undefined;
        }
      };
      Object.assign(window, { WebSocket: Closed });
    });
    const asked: { at: number; status: number }[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith(`/messaging/conversations/${kiran.userId}`))
        asked.push({ at: Date.now(), status: response.status() });
    });
    await screen.goto(`/chat/${kiran.userId}`);
    await seesBubble(page, 'Before');
    await until('it is read', async () => {
      const list = (await kiran.call('GET', '/messaging/conversations')).body as { items: unknown[] };
      return JSON.stringify(list.items).includes('"is_read":true');
    });
    // From now on: an earlier 304 can be older than the mark.
    asked.length = 0;
    const isKnown = () => asked.length >= 2 && asked.slice(-2).every(({ status }) => status === 304);
    await until('the mark is known', isKnown);
    asked.length = 0;
    await until('it has asked again and again', () => asked.length === 3);
    expect(asked.map(({ status }) => status)).toEqual([304, 304, 304]);
    const [first, , third] = asked.map(({ at }) => at);
    expect((third ?? 0) - (first ?? 0)).toBeGreaterThan(1_600);
    expect((third ?? 0) - (first ?? 0)).toBeLessThan(3_500);
    await say(kiran, asha, 'While you had no socket');
    await seesBubble(page, 'While you had no socket');
  });
});

describe('the list', () => {
  it('[ROUTE-009] [CHAT-001] [CHAT-002] [CHAT-003] [CHAT-004] [CHAT-005] [CHAT-025] is searched, refreshed, counts shared documents, and starts new chats', async () => {
    const owner = await newPerson(world.url, 'Lata Bhosale');
    const partner = await newPerson(world.url, 'Nikhil Sane');
    const stranger = await newPerson(world.url, 'Omkar Patil');
    const id = await createDocument(owner);
    await agree(owner, partner, id);
    await say(stranger, owner, 'Do you know me?');
    await withScreen(world, { path: '/chat', as: owner }, async (screen) => {
      const { page } = screen;
      const names = () =>
        page.$$eval('li a[href^="/chat/"]', (all) => all.map((each) => each.textContent ?? ''));
      const listed = (count: number) =>
        until(`${count} are listed`, async () => (await names()).length === count);
      await screen.sees(partner.name);
      await screen.settled();
      expect((await names())[0]).toContain(stranger.name);
      expect((await names())[1]).toContain('1 shared document');
      // Each search finds a different person, so an earlier answer cannot pass the check.
      const search = async (text: string, found: Person) => {
        await screen.fill('Search chats', text);
        await until(`'${text}' finds ${found.name} alone`, async () => {
          const listed = await names();
          return listed.length === 1 && listed[0]!.includes(found.name);
        });
      };
      await search('nikh', partner);
      await search('omkar', stranger);
      await search(partner.phone.slice(3), partner);
      // A user without a shared document is found only by the complete address.
      await search(`${stranger.phone.slice(1)}@example.org`, stranger);
      await search(`${partner.phone.slice(1)}@exa`, partner);
      await screen.fill('Search chats', `${stranger.phone.slice(1)}@exa`);
      await screen.sees('Nobody found');
      await screen.press('Clear search');
      await listed(2);

      const again = page.waitForResponse((response) => response.url().includes('/messaging/conversations?'));
      await screen.press('Refresh');
      expect((await again).status()).toBe(200);

      await screen.press('Start New Chat');
      // A stranger is found by the complete ID only.
      await screen.fill('Who do you want to message?', 'v');
      await screen.sees('Nobody found');
      await screen.fill('Who do you want to message?', vikram.charId);
      await screen.page.locator(`[role="dialog"] a[href="/chat/${vikram.userId}"]`).click();
      await heading(page, vikram.name);
      // Only users who share a document see a complete number.
      await screen.sees(`+91 ••••••${vikram.phone.slice(-4)}`);
      await page.click(`li a[href="/chat/${partner.userId}"]`);
      await heading(page, partner.name);
      const header = await page.$eval('main header:has(h1)', (each) => (each as HTMLElement).innerText);
      expect(header).toContain(`+91 ${partner.phone.slice(3, 8)} ${partner.phone.slice(8)}`);
      expect(header).toContain(`${partner.phone.slice(1)}@example.org`);
    });
  });
});

describe('the thread', () => {
  it('[CHAT-006] [CHAT-009] [CHAT-010] groups by days in India whatever the reader’s time zone, and does not send blank messages', async () => {
    const tara = await newPerson(world.url, 'Tara Menon');
    for (const text of ['Long ago', 'A day ago', 'Just now']) await say(tara, vikram, text);
    const day = 24 * 60 * 60 * 1_000;
    await setTimes(tara, [new Date('2026-01-05T18:45:00Z'), new Date(Date.now() - day)]);
    await withScreen(world, { path: '/robots.txt', as: vikram }, async (screen) => {
      await screen.page.emulateTimezone('America/Los_Angeles');
      const sent: string[] = [];
      screen.page.on('request', (request) => request.url().endsWith('/send') && sent.push(request.url()));
      await screen.goto(`/chat/${tara.userId}`);
      await seesBubble(screen.page, 'Just now');
      const shown = await screen.page.$$eval('[role="log"] :is(h3, article)', (all) =>
        all.map(({ textContent: text }) => /Long ago|A day ago|Just now/.exec(text ?? '')?.[0] ?? text),
      );
      // 18:45 in London is 00:15 of the next day in Pune.
      expect(shown).toEqual(['6 Jan 2026', 'Long ago', 'Yesterday', 'A day ago', 'Today', 'Just now']);
      await seesBubble(screen.page, 'Long ago', '12:15');
      await write(screen, tara, '   ');
      const button = await screen.page.waitForSelector('button[aria-label="Send"]');
      expect(await button?.evaluate((each) => (each as HTMLButtonElement).disabled)).toBe(true);
      expect(sent).toEqual([]);
    });
  });

  it('[ERROR-042] reports an unknown user', async () => {
    const path = '/chat/00000000-0000-7000-8000-000000000000';
    await withScreen(world, { path, as: vikram }, (screen) => screen.says('User not found'));
  });

  it('[CHAT-026] blocks a user, whose message is then refused in plain words, and takes messages again', async () => {
    const [dev, esha] = [await newPerson(world.url, 'Dev Sawant'), await newPerson(world.url, 'Esha Kale')];
    await say(dev, esha, 'Hello');
    await withScreen(world, threadOf(esha, dev), async (hers) => {
      await seesBubble(hers.page, 'Hello');
      await hers.press(`More options for ${dev.name}`);
      await hers.press('Block', 'menuitem');
      await hers.press('Block');
      await hers.sees('You have blocked this person.');
      await withScreen(world, threadOf(dev, esha), async (his) => {
        await heading(his.page, esha.name);
        await write(his, esha, 'Are you there?');
        await his.sees('You cannot message this person.');
        await seesBubble(his.page, 'Are you there?', 'Not sent');
        // A page behind another one does not paint, so a fading element would stay.
        await hers.page.bringToFront();
        await hers.press('Unblock');
        await until('she takes messages', async () => (await hers.page.$('textarea')) !== null);
        await his.page.bringToFront();
        await his.press('Send again');
        await seesBubble(hers.page, 'Are you there?');
        await until('it is sent', async () =>
          (await bubbles(his.page)).some((text) => /Are you there\?.*(Delivered|Read)$/.test(text)),
        );
      });
    });
  });
});

/** Sets the times of a user's first messages. */
async function setTimes(writer: Person, times: Date[]): Promise<void> {
  const statement = 'UPDATE messages SET created_at = $1 WHERE sender_id = $2 AND seq = $3';
  for (const [at, time] of times.entries())
    await inDatabase(sharedProduct.postgresUrl, 'messaging', statement, [time, writer.userId, at + 1]);
}
