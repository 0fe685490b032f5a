import { spawn } from 'node:child_process';
import { findProgram } from '../machine/run.mjs';
import { freePort } from '../processes/ports.ts';
import { guard, unguard } from '../processes/watchdog.ts';
import { until } from '../until.ts';

/** The name under which WebDriver returns elements. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const WAIT_MS = 30_000;

/** A page of WebKitGTK's own browser, which W3C WebDriver drives. */
export interface WebKitPage {
  goto(url: string): Promise<void>;
  /** Runs a function in the page, which knows only its arguments. */
  run<Args extends unknown[], Result>(
    act: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /** Presses the first element of an XPath once there is one, as a pointer does. */
  click(xpath: string): Promise<void>;
  /** Types into the first element of an XPath. A file input takes a path. */
  type(xpath: string, text: string): Promise<void>;
  /** Draws a line with the pointer between points of the window. Pixels. */
  draw(points: readonly { x: number; y: number }[]): Promise<void>;
  /** Returns a PNG of the window. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Starts WebKitGTK's browser on a screen of its own, which it fills, with two pixels per CSS pixel.
 *
 * @throws Error if this machine has no WebKitWebDriver or Xvfb
 */
export async function launchWebKit(size: { width: number; height: number }): Promise<WebKitPage> {
  const path = process.env['PATH'] ?? '';
  const [driver, screen] = [findProgram(['WebKitWebDriver'], path), findProgram(['xvfb-run'], path)];
  if (driver === undefined || screen === undefined)
    throw new Error('There is no WebKit: install the packages webkit2gtk-driver and xvfb');
  const port = await freePort();
  const pixels = `-screen 0 ${2 * size.width}x${2 * size.height}x24`;
  const server = spawn(screen, ['-a', '-s', pixels, driver, '-p', String(port)], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, GDK_SCALE: '2' },
  });
  const { pid } = server;
  if (pid === undefined) throw new Error('WebKitWebDriver did not start');
  guard(pid, 'SIGTERM');
  const end = () => {
    unguard(pid);
    process.kill(-pid);
  };
  const ask = async (method: string, command: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${command}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`${method} ${command}: ${JSON.stringify(value)}`);
    return value;
  };
  try {
    await until('the driver answers', () => ask('GET', '/status').then(Boolean, () => false), 30_000);
    // A window with bars is wider than a phone.
    const options = { args: ['--automation', '--full-screen'] };
    const alwaysMatch = { 'webkitgtk:browserOptions': options };
    const opened = await ask('POST', '/session', { capabilities: { alwaysMatch } });
    const session = `/session/${(opened as { sessionId: string }).sessionId}`;
    await ask('POST', `${session}/timeouts`, { script: WAIT_MS, implicit: WAIT_MS });
    const run = (act: (...args: never[]) => unknown, ...args: unknown[]): Promise<unknown> =>
      ask('POST', `${session}/execute/sync`, {
        script: `return (${String(act)}).apply(null, arguments)`,
        args,
      });
    // The shapes of WebDriver's answers are those of its standard.
    const find = async (xpath: string): Promise<Record<string, string>> =>
      (await ask('POST', `${session}/element`, { using: 'xpath', value: xpath })) as Record<string, string>;
    const on = (element: Record<string, string>, command: string, body: object) =>
      ask('POST', `${session}/element/${String(element[ELEMENT])}/${command}`, body);
    /** A sticky bar or a toast may cover the element for a moment. */
    const press = async (xpath: string): Promise<true> => {
      const element = await find(xpath);
      await run((found: Element) => found.scrollIntoView({ block: 'center', behavior: 'instant' }), element);
      await on(element, 'click', {});
      return true;
    };
    const pointer = (actions: object[]) =>
      ask('POST', `${session}/actions`, {
        actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
      });
    return {
      goto: async (url) => void (await ask('POST', `${session}/url`, { url })),
      // WebDriver answers with what the function returned, so its type is the function's.
      run: run as WebKitPage['run'],
      click: (xpath) => until(`${xpath} is pressed`, () => press(xpath), WAIT_MS),
      type: async (xpath, text) => void (await on(await find(xpath), 'value', { text })),
      draw: async ([first, ...rest]) => {
        const moves = rest.map((to) => ({ type: 'pointerMove', duration: 20, ...to }));
        await pointer([
          { type: 'pointerMove', duration: 0, ...first },
          { type: 'pointerDown', button: 0 },
          ...moves,
          { type: 'pointerUp', button: 0 },
        ]);
      },
      screenshot: async () => Buffer.from(String(await ask('GET', `${session}/screenshot`)), 'base64'),
      close: async () => {
        await ask('DELETE', session);
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}
