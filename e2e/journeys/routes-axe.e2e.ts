/** Every route once, on a phone. `journeys/every-screen.slow.ts` checks all states, both themes and the keyboard. */
import { jest } from '@jest/globals';
import pMap from 'p-map';
import type { Page } from 'puppeteer-core';
import { shots } from '../screens/shots.ts';
import { visit } from '../screens/visit.ts';
import { makeWorld } from '../screens/world.ts';
import { PHONE } from '../src/browser/opened.ts';
import { axe } from '../src/browser/axe.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(200_000);

const AT_ONCE = 3;

const [chromium, world] = await Promise.all([openBrowser(), makeWorld(sharedProduct.url)]);

it('axe finds no violation of WCAG 2.2 A and AA on any route', async () => {
  const firsts = shots.filter(({ route }, at) => shots.findIndex((other) => other.route === route) === at);
  const look = async (page: Page, fault: (text: string) => void) => {
    for (const found of await axe(page, 'all')) fault(found);
  };
  const faults = await pMap(
    firsts,
    (shot) => visit(chromium.browser, world, { shot, language: 'en', viewport: PHONE }, look),
    { concurrency: AT_ONCE },
  );
  expect(faults.flat()).toEqual([]);
});
