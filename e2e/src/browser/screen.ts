/** Drives a page as a user does: by the names and roles of the accessibility tree. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, ElementHandle, Frame, Page } from 'puppeteer-core';
import { requestsOf } from './api-calls.ts';
import { openPage } from './engine.ts';

const WAIT_MS = 30_000;
/** puppeteer polls at every frame by default, which slows the page down. */
const POLL_MS = 50;

type Find = () => Promise<ElementHandle<Element>>;
export type Viewport = { width: number; height: number };
export type Screen = Awaited<ReturnType<typeof openScreen>>;
export type ScreenOptions = {
  /** Lets the camera take photos automatically, which is the product's default. */
  takesByItself?: boolean | undefined;
  storage?: Record<string, string> | undefined;
};

/** Opens a page in a new browser context. Each wait fails with the text of the page. */
export async function openScreen(
  browser: Browser,
  baseUrl: string,
  viewport: Viewport,
  { takesByItself = false, storage = {} }: ScreenOptions = {},
) {
  const context = await browser.createBrowserContext();
  const page = await openPage(context, baseUrl);
  await page.setViewport(viewport);
  page.setDefaultTimeout(WAIT_MS);
  await page.evaluateOnNewDocument(fillStorage, storage, takesByItself);
  const requests = requestsOf(page);
  const faults: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400)
      faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('requestfailed', (request) =>
    faults.push(`${request.failure()?.errorText ?? 'failed'} ${request.url()}`),
  );
  page.on('pageerror', (error) => faults.push(error instanceof Error ? error.message : String(error)));

  const orTell = <T>(what: string, wait: Promise<T>): Promise<T> => explained(page, what, wait, faults);
  const reads = async (text: string | RegExp, expected: boolean, timeout: number): Promise<void> => {
    const literal = String(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const { source, flags } = typeof text === 'string' ? { source: literal, flags: '' } : text;
    const isRead = (pattern: string, modes: string, wanted: boolean) => {
      // A page has no body at the start of a navigation.
      const body = document.body as HTMLElement | null;
      return body !== null && new RegExp(pattern, modes).test(body.innerText) === wanted;
    };
    const options = { timeout, polling: POLL_MS };
    const wait = page.waitForFunction(isRead, options, source, flags, expected);
    await orTell(`${expected ? 'did not see' : 'still sees'} ${String(text)}`, wait);
  };
  const checkout = (): Promise<Frame> => {
    const isCheckout = (url: string) => new URL(url, baseUrl).pathname === '/checkout.html';
    const wait = page.waitForFrame((each) => isCheckout(each.url()));
    return orTell('the checkout did not open', wait);
  };
  /** Waits until no toast covers the element; a toast stays while the pointer is over it. */
  const uncovered = async (find: Find): Promise<void> => {
    await page.mouse.move(0, 0);
    const isFree = (target: Element): boolean => {
      const { x, y, width, height } = target.getBoundingClientRect();
      return !document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[role="alert"]');
    };
    const deadline = Date.now() + WAIT_MS;
    while (Date.now() < deadline) {
      // A navigation interrupts the evaluation.
      if (await (await find()).evaluate(isFree).catch(() => false)) return;
      await sleep(2 * POLL_MS);
    }
  };
  /** Clicks an element, and finds it again after a failure, because the screen may have rendered a new one. */
  const clicked = async (what: string, find: Find, count = 1): Promise<ElementHandle<Element>> => {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const found = await find();
      let fault = new Error('it moves, is disabled, or another element got each press');
      try {
        // A sticky bar may cover an element at the edge of the window.
        await found.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
        if (await found.evaluate(isSteady)) {
          const landed = await watchPress(found);
          // Not by a locator: a click that it gives up after its time still arrives.
          await found.click({ count });
          if (await landed()) return found;
        }
      } catch (error) {
        fault = error as Error;
      }
      if (Date.now() > deadline) return orTell(what, Promise.reject(fault));
      await uncovered(find);
    }
  };
  /** Finds a field by the start of its label, because a label may end with a hint. */
  const labelled = async (label: string): Promise<ElementHandle<Element>> => {
    const find = (wanted: string) => {
      const labels = [...document.querySelectorAll('label')];
      return labels.find((each) => each.textContent?.trim().startsWith(wanted))?.control ?? false;
    };
    const wait = page.waitForFunction(find, { polling: POLL_MS }, label);
    return (await orTell(`the field '${label}' is not shown`, wait)) as ElementHandle<Element>;
  };

  return {
    page,
    goto: async (path: string): Promise<void> => {
      await page.goto(`${baseUrl}${path}`, { waitUntil: 'domcontentloaded' });
    },
    /** Waits until the control exists and is enabled, then clicks it. */
    press: async (name: string, role = 'button'): Promise<void> => {
      const find = () =>
        orTell(`the ${role} '${name}' is not shown`, shown(page, `aria/${name}[role="${role}"]`));
      await clicked(`'${name}' cannot be pressed`, find);
    },
    /** Presses a button of the payment provider's checkout, which is in a frame. */
    pressInCheckout: async (name: string): Promise<void> => {
      // Firefox finds nothing by accessible names in a frame.
      await (await shown(await checkout(), `::-p-text(${name})`)).click();
    },
    seesFaultInCheckout: async (): Promise<void> => {
      const fault = (await checkout()).waitForSelector('>>> [role=alert]:not(:empty)');
      await orTell('the checkout shows no error', fault);
    },
    /** Replaces the content of the field with this label. */
    fill: async (label: string, text: string): Promise<void> => {
      const field = await clicked(`'${label}' cannot be filled`, () => labelled(label), 3);
      await field.type(text);
    },
    choose: async (label: string, option: string): Promise<void> => {
      await ((await labelled(label)) as ElementHandle<HTMLSelectElement>).select(option);
    },
    upload: async (selector: string, paths: string[]): Promise<void> => {
      const input = await page.waitForSelector(selector);
      await (input as ElementHandle<HTMLInputElement>).uploadFile(...paths);
    },
    /** Waits until the page contains this text. */
    sees: (text: string | RegExp, timeoutMs = WAIT_MS) => reads(text, true, timeoutMs),
    gone: (text: string | RegExp, timeoutMs = WAIT_MS) => reads(text, false, timeoutMs),
    /** Waits until a visible element has exactly this text. */
    says: async (text: string, timeout = WAIT_MS): Promise<void> => {
      const isSaid = (wanted: string) =>
        [...document.querySelectorAll('body *')].some(
          (each) => each.textContent?.trim().replaceAll(/\s+/g, ' ') === wanted && each.checkVisibility(),
        );
      const wait = page.waitForFunction(isSaid, { timeout, polling: 2 * POLL_MS }, text);
      await orTell(`no element has the text '${text}'`, wait);
    },
    /** Waits for all answers and placeholders, so that a test can check that a text is absent. */
    settled: async (): Promise<void> => {
      const deadline = Date.now() + WAIT_MS;
      const isLoading = async () => (await page.$('[data-skeleton], [aria-busy="true"]')) !== null;
      while (!requests.quiet() || (await isLoading()) || !requests.quiet()) {
        if (Date.now() > deadline)
          return orTell(`not settled, open: ${requests.open().join(', ')}`, Promise.reject(new Error()));
        await sleep(POLL_MS);
      }
    },
    until: (what: string, look: () => boolean): Promise<unknown> =>
      orTell(`not seen: ${what}`, page.waitForFunction(look, { polling: 2 * POLL_MS })),
    isAt: async (path: RegExp): Promise<void> => {
      const isHere = (source: string) => new RegExp(source).test(location.pathname);
      const wait = page.waitForFunction(isHere, { polling: POLL_MS }, path.source);
      await orTell(`is not at ${String(path)}`, wait);
    },
    sign: async (): Promise<void> => {
      const canvas = await page.waitForSelector('canvas[aria-busy="false"]', { visible: true });
      await canvas?.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const box = await canvas?.boundingBox();
      if (!box) throw new Error('the signature pad is not shown');
      const moveTo = (x: number, y: number) => page.mouse.move(box.x + box.width * x, box.y + box.height * y);
      await moveTo(0.15, 0.6);
      await page.mouse.down();
      for (let i = 1; i <= 12; i += 1) await moveTo(0.15 + i * 0.05, 0.6 + 0.2 * Math.sin(i));
      await page.mouse.up();
    },
    close: () => context.close(),
  };
}

/** Runs in the page before the app: fills local storage once, so that later loads find what the app has stored. */
function fillStorage(storage: Record<string, string>, takesByItself: boolean): void {
  if (window !== top || !location.protocol.startsWith('http')) return;
  // A test that presses Capture must not race the automatic capture.
  if (!takesByItself) localStorage.setItem('capture_by_itself', 'off');
  if (sessionStorage.getItem('prepared') !== null) return;
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value);
  sessionStorage.setItem('prepared', '1');
}

/** Adds the text of the page to the error of a failed wait. */
export const explained = <T>(page: Page, what: string, wait: Promise<T>, faults: string[] = []): Promise<T> =>
  wait.catch(async (cause: unknown) => {
    const text = await page.evaluate(() => document.body.innerText);
    throw new Error(`${what} at ${page.url()}; faults: ${faults.join('; ')}; the page shows:\n${text}`, {
      cause,
    });
  });

/** Runs in the page: waits, for 60 frames, until the element is enabled and stays where it is from one to the next. */
async function isSteady(element: Element): Promise<boolean> {
  const place = () => JSON.stringify(element.getBoundingClientRect());
  for (let frame = 0; frame < 60 && element.isConnected; frame += 1) {
    const before = place();
    await new Promise(requestAnimationFrame);
    if (!element.matches(':disabled') && place() === before) return true;
  }
  return false;
}

/**
 * Watches an element before a press, because a screen that is still loading may move it away from the click.
 * @returns a function that says whether the element got the press, or has left the page
 */
async function watchPress(element: ElementHandle<Element>): Promise<() => Promise<boolean>> {
  const watch = await element.evaluateHandle((watched) => {
    const seen = { pressed: false };
    const note = () => void (seen.pressed = true);
    // The label of a hidden checkbox sends it only a click; an option may be removed before the pointer is up.
    for (const type of ['pointerdown', 'click']) watched.addEventListener(type, note, { capture: true });
    return { watched, seen };
  });
  // The handle is gone after a press that leaves the page.
  return () => watch.evaluate(({ watched, seen }) => seen.pressed || !watched.isConnected).catch(() => true);
}

/** Waits for a selector of the accessibility tree; puppeteer's own wait reads that tree at every frame. */
async function shown(where: Page | Frame, selector: string): Promise<ElementHandle<Element>> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    let fault: unknown;
    try {
      const found = await where.$(selector);
      if (await found?.isVisible()) return found as ElementHandle<Element>;
    } catch (error) {
      fault = error; // a navigation interrupted the query
    }
    if (Date.now() > deadline) throw new Error(`${selector} is not shown`, { cause: fault });
    await sleep(2 * POLL_MS);
  }
}
