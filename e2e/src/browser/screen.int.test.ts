import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import { openScreen, type Screen } from './screen.ts';

let chromium: TestBrowser;
let server: Server;
let screen: Screen;
beforeAll(async () => {
  server = createServer((_req, res) =>
    res.setHeader('content-type', 'text/html').end('<!doctype html><main></main>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  chromium = await launchChromium();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  screen = await openScreen(chromium.browser, url, { width: 800, height: 600 });
}, 60_000);
afterAll(async () => {
  await screen.close();
  await chromium.close();
  server.close();
});
beforeEach(() => screen.goto('/'));

/** Runs in the page: renders the content at each frame for a time, so that a handle is stale before the click. */
function redraw(html: string, forMs: number): void {
  const until = performance.now() + forMs;
  const draw = () => {
    const main = document.querySelector('main');
    if (main) main.innerHTML = html;
    if (performance.now() < until) requestAnimationFrame(draw);
  };
  draw();
}

it('presses a button that the screen renders again during the press', async () => {
  await screen.page.evaluate(redraw, '<button>Unblock</button>', 2_000);
  await screen.page.evaluate(() =>
    document.addEventListener('click', ({ target }) => {
      document.title = (target as Element).textContent ?? '';
    }),
  );
  await screen.press('Unblock');
  expect(await screen.page.title()).toBe('Unblock');
}, 60_000);

it('fills a field that the screen renders again during the input', async () => {
  await screen.page.evaluate(redraw, '<label for="name">Name</label><input id="name" value="old">', 2_000);
  await screen.fill('Name', 'Asha Rao');
  expect(await screen.page.$eval('input', ({ value }) => value)).toBe('Asha Rao');
}, 60_000);

it('presses a button once that leaves a page that is too busy for a press of five seconds', async () => {
  await screen.page.evaluate(() => {
    const button = document.createElement('button');
    button.textContent = 'Capture';
    button.addEventListener('click', () => {
      button.remove();
      document.title += 'pressed';
    });
    document.querySelector('main')?.append(button);
    const busy = () => {
      for (const end = performance.now() + 400; performance.now() < end;);
      if (document.title === '') requestAnimationFrame(busy);
    };
    busy();
  });
  await screen.press('Capture');
  expect(await screen.page.title()).toBe('pressed');
}, 60_000);
