/** A long conversation on a slow phone: reading back moves nothing but what is scrolled, and the page stays small. */
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { fillConversation } from '@karaar/testing/made-up/long-conversation';
import { bubbles, messagingUrl, say, seesBubble, threadOf } from '../src/chat.ts';
import { PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { freshPhone } from '../src/signed-in.ts';

jest.setTimeout(90_000);

let chromium: TestBrowser;
beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());

it('stays steady and small in a long conversation, however far back one reads', async () => {
  const world = { url: sharedProduct.url, browser: chromium.browser };
  const [far, near] = [
    await newPerson(world.url, 'Gauri Naik', freshPhone()),
    await newPerson(world.url, 'Hari Gokhale', freshPhone()),
  ];
  await say(far, near, 'The very first');
  await fillConversation(messagingUrl(), [far.userId, near.userId], LONG);
  await withScreen(world, threadOf(near, far, { viewport: PHONE }), async ({ page, press }) => {
    await seesBubble(page, `Message ${LONG}`);
    // A slow phone: what is made up for a frame too late shows there.
    await page.emulateCPUThrottling(8);
    const walk = await page.evaluate(walkBack);
    await page.emulateCPUThrottling(null);
    expect(walk).toEqual({ arrived: true, most: expect.any(Number), jumps: [] });
    // All of them have been in the page; a few screens of them are.
    expect(walk.most).toBeLessThan(LONG / 2);
    await press('Go to the latest message');
    await seesBubble(page, `Message ${LONG}`);
    expect((await bubbles(page)).length).toBeLessThan(LONG / 2);
  });
});

/** Messages of the long conversation. */
const LONG = 600;

/**
 * Runs in the page: reads back to the first message by steps of a screen, each once there is something to read.
 * @returns how many messages were in the page at most, and the steps that moved anything else than what was scrolled
 */
async function walkBack() {
  const list = document.querySelector('[role="log"]');
  if (!list) throw new Error('no list');
  /** Resolves when a frame is ready to be painted: an observer that begins in it is called after all others. */
  const frame = () =>
    new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        const observer = new ResizeObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(list);
      });
    });
  const articles = () => [...list.querySelectorAll('article')];
  const topMost = () => {
    const edge = list.getBoundingClientRect().top;
    return articles().find((each) => each.getBoundingClientRect().top > edge + 40);
  };
  const jumps: string[] = [];
  let most = 0;
  const end = performance.now() + 40_000;
  for (let steps = 0; performance.now() < end; steps += 1) {
    const held = topMost();
    if (!held || held.getBoundingClientRect().top > list.getBoundingClientRect().bottom) {
      await frame();
      continue;
    }
    const before = held.getBoundingClientRect().top;
    const step = Math.min(700, list.scrollTop);
    list.scrollTop -= step;
    for (let i = 0; i < 3; i += 1) await frame();
    const moved = held.getBoundingClientRect().top - before - step;
    if (!held.isConnected) jumps.push(`step ${steps}: the message is gone`);
    else if (Math.abs(moved) > 3) jumps.push(`step ${steps} of ${step} px: ${moved} px off`);
    most = Math.max(most, articles().length);
    if (list.scrollTop === 0 && articles()[0]?.textContent?.includes('The very first'))
      return { arrived: true, most, jumps };
  }
  return { arrived: false, most, jumps };
}
