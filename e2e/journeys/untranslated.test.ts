/** Every screen of the route table, read in Hindi: nothing is left in English. Screens that come meet it by themselves. */
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/chromium';
import { shotName, shots, type Shot } from '../screens/shots.ts';
import { visit } from '../screens/visit.ts';
import { makeWorld, type World } from '../screens/world.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { collectData, untranslatedTexts } from '../src/untranslated.ts';

jest.setTimeout(240_000);

const PHONE = { width: 390, height: 844 };

let chromium: TestBrowser;
let world: World;
beforeAll(async () => {
  chromium = await launchChromium();
  world = await makeWorld(sharedProduct.url, '7');
}, 240_000);
afterAll(() => chromium.close());

/** What is wrong with a state of a screen in Hindi. */
async function faultsOf(shot: Shot): Promise<string[]> {
  let data: Set<string> = new Set();
  return visit(
    chromium.browser,
    world,
    { shot, language: 'hi', viewport: PHONE },
    async (page, fault) => {
      for (const text of await untranslatedTexts(page, data)) fault(`not translated: ${text}`);
      const language = await page.evaluate(() => document.documentElement.lang);
      if (language !== 'hi') fault(`the page says that its language is ${language}`);
    },
    (page) => {
      data = collectData(page);
    },
  );
}

it('every screen speaks Hindi only', async () => {
  const faults: string[] = [];
  const only = process.env['E2E_SHOT'];
  const queue = shots.filter((shot) => !only || shotName(shot).includes(only));
  const work = async (): Promise<void> => {
    for (let shot = queue.shift(); shot; shot = queue.shift()) faults.push(...(await faultsOf(shot)));
  };
  await Promise.all([work(), work(), work()]);
  expect(faults).toEqual([]);
});
