/** A page driven as a person drives it: by the names that the accessibility tree gives to things. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, ElementHandle, Frame, Page } from 'puppeteer-core';
import { requestsOf } from './api-calls.ts';
import { watchPress } from './watched-press.ts';

const WAIT_MS = 30_000;
/** Milliseconds after which a control that could not be pressed is looked for again. */
const AGAIN_MS = 5_000;
/** Often enough for a person's patience; at every frame, as puppeteer does by itself, the looking slows the page down. */
const LOOK_MS = 50;

/** Looks for an element, and waits until it is there. */
type Find = () => Promise<ElementHandle<Element>>;

export type Screen = {
  page: Page;
  goto: (path: string) => Promise<void>;
  /** Clicks what has this role and name; waits for it and for it to be enabled. */
  press: (name: string, role?: string) => Promise<void>;
  /** Presses a button in the frame of the card provider's checkout, which is a document of its own. */
  pressInCheckout: (name: string) => Promise<void>;
  /** Waits until the checkout tells that a try to pay has failed: its buttons move when it does. */
  seesFaultInCheckout: () => Promise<void>;
  /** Types into the field of this label, replacing what it holds. */
  fill: (label: string, text: string) => Promise<void>;
  choose: (label: string, option: string) => Promise<void>;
  /** Gives files to a file input. */
  upload: (selector: string, paths: string[]) => Promise<void>;
  /** Waits until this text can be read somewhere on the page. */
  sees: (text: string | RegExp, timeoutMs?: number) => Promise<void>;
  /** Waits until something on the page says exactly this: a longer text that begins so is another one. */
  says: (text: string, timeoutMs?: number) => Promise<void>;
  /** Waits until this text cannot be read anywhere on the page any more. */
  gone: (text: string | RegExp, timeoutMs?: number) => Promise<void>;
  /** Waits until all requests are answered and no placeholder is shown: a text that is absent then does not come by itself. */
  settled: () => Promise<void>;
  /** Waits until this function answers true in the page; `what` names what is waited for, for the reader of its absence. */
  until: (what: string, look: () => boolean) => Promise<void>;
  /** Waits until the path is this. */
  isAt: (path: RegExp) => Promise<void>;
  /** Draws a line across the signature pad. */
  sign: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Opens a page in a context of its own: nobody else's storage.
 * @param options.takesByItself the camera takes photos without a press, as it does by default
 */
export async function openScreen(
  browser: Browser,
  baseUrl: string,
  viewport: { width: number; height: number },
  { takesByItself = false }: { takesByItself?: boolean } = {},
): Promise<Screen> {
  const context = await browser.createBrowserContext();
  await context.overridePermissions(baseUrl, ['camera']);
  const page = await context.newPage();
  await page.setViewport(viewport);
  // While a screen fades into the next one, clicks into it are lost: a script is quicker than people are.
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  page.setDefaultTimeout(WAIT_MS);
  // Photos are taken by hand here: a test that presses Capture must not race the automatic capture.
  if (!takesByItself)
    await page.evaluateOnNewDocument(() => {
      if (window === top && location.protocol.startsWith('http'))
        localStorage.setItem('capture_by_itself', 'off');
    });
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

  /** A wait that failed says what the page showed instead. */
  const orTell = <T>(what: string, wait: Promise<T>): Promise<T> =>
    wait.catch(async (cause: unknown) => {
      const body = await page.evaluate(() => document.body.innerText);
      throw new Error(`${what} at ${page.url()}; faults: ${faults.join('; ')}; the page says:\n${body}`, {
        cause,
      });
    });
  /** Waits until a text can be read on the page, or cannot be read. */
  const reads = async (text: string | RegExp, expected: boolean, timeout: number): Promise<void> => {
    const pattern = typeof text === 'string' ? { text } : { source: text.source, flags: text.flags };
    const wait = page.waitForFunction(
      (wanted: { text?: string; source?: string; flags?: string }, present: boolean) => {
        // A page that has just been asked for has no body yet.
        const body = (document.body as HTMLElement | null)?.innerText;
        if (body === undefined) return false;
        const found =
          wanted.text === undefined
            ? new RegExp(wanted.source ?? '', wanted.flags).test(body)
            : body.includes(wanted.text);
        return found === present;
      },
      { timeout, polling: LOOK_MS },
      pattern,
      expected,
    );
    await orTell(`${expected ? 'did not see' : 'still sees'} ${String(text)}`, wait);
  };
  const says = async (text: string, timeout: number): Promise<void> => {
    const wait = page.waitForFunction(
      (wanted: string) =>
        [...document.querySelectorAll('body *')].some(
          (each) => each.textContent?.trim().replaceAll(/\s+/g, ' ') === wanted && each.checkVisibility(),
        ),
      { timeout, polling: 2 * LOOK_MS },
      text,
    );
    await orTell(`nothing says '${text}'`, wait);
  };
  const checkout = (): Promise<Frame> => {
    const isCheckout = (url: string) => new URL(url, baseUrl).pathname === '/checkout.html';
    return orTell(
      'there is no checkout',
      page.waitForFrame((each) => isCheckout(each.url())),
    );
  };
  const named = (name: string, role: string): Promise<ElementHandle<Element>> =>
    orTell(`there is no ${role} '${name}'`, shown(page, `aria/${name}[role="${role}"]`));
  /** Waits for a short message over an element to go, which stays for as long as the pointer is on it. */
  const uncovered = async (find: Find): Promise<void> => {
    await page.mouse.move(0, 0);
    const isFree = (target: Element): boolean => {
      const { x, y, width, height } = target.getBoundingClientRect();
      return !document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[role="alert"]');
    };
    const deadline = Date.now() + WAIT_MS;
    while (Date.now() < deadline) {
      // The page may go on to another one while it is looked at; then it is looked at again.
      if (await (await find()).evaluate(isFree).catch(() => false)) return;
      await sleep(2 * LOOK_MS);
    }
  };
  /**
   * Clicks an element, and looks for it again when that fails: a failed click disposes the handle, and the screen may have
   * drawn another element in its place.
   */
  const clicked = async (what: string, find: Find, count = 1): Promise<ElementHandle<Element>> => {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const found = await find();
      let fault: unknown;
      try {
        // What sticks to the window's edges may cover what is only just in view.
        await found.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
        const reached = await watchPress(found);
        // Waits until it is enabled and stands still: a screen that still loads would move it away from the click.
        await found.asLocator().setTimeout(AGAIN_MS).click({ count });
        if (await reached()) return found;
        fault = new Error('each press landed on another element');
      } catch (error) {
        fault = error;
      }
      if (Date.now() > deadline) return orTell(what, Promise.reject(fault as Error));
      await uncovered(find);
    }
  };
  /** Field names may carry a hint behind the label, so the label element decides. */
  const labelled = async (label: string): Promise<ElementHandle<Element>> => {
    const handle = await orTell(
      `there is no field '${label}'`,
      page.waitForFunction(
        (wanted: string) => {
          const labels = [...document.querySelectorAll('label')];
          return labels.find((each) => each.textContent?.trim().startsWith(wanted))?.control ?? false;
        },
        { polling: LOOK_MS },
        label,
      ),
    );
    const element = handle.asElement();
    if (!element) throw new Error(`there is no field '${label}'`);
    return element as ElementHandle<Element>;
  };

  return {
    page,
    goto: async (path) => {
      await page.goto(`${baseUrl}${path}`, { waitUntil: 'domcontentloaded' });
    },
    press: async (name, role = 'button') => {
      await clicked(`'${name}' cannot be pressed`, () => named(name, role));
    },
    pressInCheckout: async (name) => {
      await (await shown(await checkout(), `aria/${name}[role="button"]`)).click();
    },
    seesFaultInCheckout: async () => {
      const frame = await checkout();
      await orTell('the checkout tells of no fault', frame.waitForSelector('>>> [role=alert]:not(:empty)'));
    },
    fill: async (label, text) => {
      const field = await clicked(`'${label}' cannot be filled`, () => labelled(label), 3);
      await field.type(text);
    },
    choose: async (label, option) => {
      const field = await labelled(label);
      await (field as ElementHandle<HTMLSelectElement>).select(option);
    },
    upload: async (selector, paths) => {
      const input = (await page.waitForSelector(selector)) as ElementHandle<HTMLInputElement> | null;
      if (!input) throw new Error(`there is no ${selector}`);
      await input.uploadFile(...paths);
    },
    sees: (text, timeoutMs = WAIT_MS) => reads(text, true, timeoutMs),
    says: (text, timeoutMs = WAIT_MS) => says(text, timeoutMs),
    gone: (text, timeoutMs = WAIT_MS) => reads(text, false, timeoutMs),
    settled: async () => {
      const deadline = Date.now() + WAIT_MS;
      const isSettled = async () =>
        requests.quiet() &&
        (await page.$('[data-skeleton], [aria-busy="true"]')) === null &&
        requests.quiet();
      while (!(await isSettled())) {
        if (Date.now() > deadline)
          return orTell(`not settled, open: ${requests.open().join(', ')}`, Promise.reject(new Error()));
        await sleep(LOOK_MS);
      }
    },
    until: async (what, look) => {
      await orTell(`not seen: ${what}`, page.waitForFunction(look, { polling: 2 * LOOK_MS }));
    },
    isAt: async (path) => {
      const wait = page.waitForFunction(
        (source: string) => new RegExp(source).test(location.pathname),
        { polling: LOOK_MS },
        path.source,
      );
      await orTell(`is not at ${String(path)}`, wait);
    },
    sign: async () => {
      const canvas = await page.waitForSelector('canvas[aria-busy="false"]', { visible: true });
      await canvas?.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const box = await canvas?.boundingBox();
      if (!box) throw new Error('there is no signature pad');
      await page.mouse.move(box.x + box.width * 0.15, box.y + box.height * 0.6);
      await page.mouse.down();
      for (let i = 1; i <= 12; i += 1) {
        await page.mouse.move(
          box.x + box.width * (0.15 + i * 0.05),
          box.y + box.height * (0.6 + 0.2 * Math.sin(i)),
        );
      }
      await page.mouse.up();
    },
    close: async () => {
      await context.close();
    },
  };
}

/**
 * Waits until what a selector of the accessibility tree names can be seen. puppeteer's own wait asks for that tree at
 * every frame, which is half a core's work in the browser that is waited for.
 */
async function shown(where: Page | Frame, selector: string): Promise<ElementHandle<Element>> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    let fault: unknown;
    try {
      const found = await where.$(selector);
      if (await found?.isVisible()) return found as ElementHandle<Element>;
    } catch (error) {
      fault = error; // the page went on to another one while it was looked at
    }
    if (Date.now() > until) throw new Error(`${selector} is not shown`, { cause: fault });
    await sleep(2 * LOOK_MS);
  }
}
