/** A page driven by the keyboard alone. The pointer is never used. */
import type { FileChooser, Page } from 'puppeteer-core';

/** Stops after which a thing counts as out of the keyboard's reach. */
const FARTHEST = 120;
const WAIT_MS = 20_000;
const CHOOSER_MS = 5_000;

export type Keyboard = {
  /** Walks with Tab to what has this name, and presses Enter. Each stop on the way must be seen. */
  press: (name: string) => Promise<void>;
  /** Walks to the field whose label begins like this, and types. */
  fill: (label: string, text: string) => Promise<void>;
  /** Walks to a file field and chooses these in the browser's own dialog. */
  choose: (label: string, paths: string[]) => Promise<void>;
};

/** The name of what has the focus, as far as a person reads it, and whether the page shows that it has it. */
function focused(): { names: string[]; seen: boolean } {
  const here = document.activeElement as HTMLInputElement | null;
  const labels = [...(here?.labels ?? [])].map((label) => label.textContent);
  const names = [here?.getAttribute('aria-label'), ...labels, here?.textContent].map(
    (text) => text?.trim() ?? '',
  );
  // Within a date the focus is on one of its parts, which the selector does not tell of; the walk over all screens
  // (keyboard-walk.ts) looks at how it is painted.
  const seen = !here || here === document.body || here.type === 'date' || here.matches(':focus-visible');
  return { names, seen };
}

/** @param page a page of any size; it must be in front, as a page behind another one does not paint */
export function keyboardOf(page: Page): Keyboard {
  const walk = async (name: string, isIt: (text: string) => boolean): Promise<void> => {
    const stops: string[] = [];
    for (let i = 0; i < FARTHEST; i += 1) {
      const { names, seen } = await page.evaluate(focused);
      // What is named may have the focus already, as the first field of a dialog.
      if (names.some(isIt)) return;
      if (i > 0 && !seen) throw new Error(`the focus is not to be seen at '${names.join(' / ')}'`);
      stops.push(names.find(Boolean)?.slice(0, 30) ?? '');
      await page.keyboard.press('Tab');
    }
    const text = await page.evaluate(() => document.body.innerText.slice(0, 2_000));
    throw new Error(
      `the Tab key does not come to '${name}' but to ${stops.join(' > ')}; the page says:\n${text}`,
    );
  };
  /** Waits until something of this name can be used, as what is being sent or loaded cannot; then walks there. */
  const to = async (name: string, whole: boolean): Promise<void> => {
    await page.waitForFunction(
      (wanted: string, exactly: boolean) =>
        [...document.querySelectorAll<HTMLInputElement>('a[href], button, input, select, textarea')].some(
          (each) =>
            !each.disabled &&
            [each.ariaLabel, each.textContent, ...[...(each.labels ?? [])].map((label) => label.textContent)]
              .map((text) => text?.trim() ?? '')
              .some((text) => (exactly ? text === wanted : text.startsWith(wanted))),
        ),
      { timeout: WAIT_MS },
      name,
      whole,
    );
    await walk(name, (text) => (whole ? text === name : text.startsWith(name)));
  };
  return {
    press: async (name) => {
      await to(name, true);
      await page.keyboard.press('Enter');
    },
    fill: async (label, text) => {
      await to(label, false);
      await page.keyboard.type(text);
    },
    choose: async (label, paths) => {
      await to(label, true);
      const open = async (): Promise<FileChooser> => {
        const [chooser] = await Promise.all([
          page.waitForFileChooser({ timeout: CHOOSER_MS }),
          page.keyboard.press('Enter'),
        ]);
        return chooser;
      };
      // On a busy machine Chromium now and then loses its own dialog: one presses again.
      const chooser = await open().catch(open);
      await chooser.accept(paths);
    },
  };
}
