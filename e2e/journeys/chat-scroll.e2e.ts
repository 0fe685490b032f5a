/** A long conversation on a slow phone: scrolling back causes no jumps, and the page stays small. */
import { jest } from '@jest/globals';
import { fillConversation } from '@karaar/testing/made-up/long-conversation';
import { bubbles, messagingUrl, say, seesBubble, threadOf } from '../src/chat.ts';
import { PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(90_000);

const { browser } = await openBrowser();

it('scrolls back to the first message of a long conversation without jumps and with few messages in the page', async () => {
  const world = { url: sharedProduct.url, browser: browser };
  const [far, near] = [await newPerson(world.url, 'Gauri Naik'), await newPerson(world.url, 'Hari Gokhale')];
  await say(far, near, 'The very first');
  await fillConversation(messagingUrl(), [far.userId, near.userId], LONG);
  await withScreen(world, threadOf(near, far, { viewport: PHONE }), async ({ page, press }) => {
    await seesBubble(page, `Message ${LONG}`);
    // A correction that comes a frame too late shows on a slow phone.
    await page.emulateCPUThrottling(8);
    const walk = await page.evaluate(walkBack);
    await page.emulateCPUThrottling(null);
    expect(walk).toEqual({ arrived: true, most: expect.any(Number), jumps: [] });
    // The page contains only a few screens of messages at a time.
    expect(walk.most).toBeLessThan(LONG / 2);
    await press('Go to the latest message');
    await seesBubble(page, `Message ${LONG}`);
    expect((await bubbles(page)).length).toBeLessThan(LONG / 2);
  });
});

/** The number of messages. */
const LONG = 600;

/**
 * Runs in the page: scrolls back to the first message by a screen at a time.
 * @returns the largest number of messages in the page, and the steps that moved more than the scroll distance
 */
async function walkBack() {
  const list = document.querySelector('[role="log"]');
  if (!list) throw new Error('the list of messages is not shown');
  /** Resolves when a frame is ready to be painted, because a new observer is called after all others. */
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
