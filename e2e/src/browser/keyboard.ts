/** Drives a page by the keyboard alone. */
import { until } from '@karaar/testing/until';
import type { Page } from 'puppeteer-core';

/** An element that needs more presses of Tab counts as out of reach. */
const FARTHEST = 120;
const CHOOSER_MS = 5_000;

export type Keyboard = ReturnType<typeof keyboardOf>;

/** Runs in the page. */
function look(wanted: string, whole: boolean) {
  const namesOf = (element: HTMLInputElement | null): string[] => {
    const labels = [...(element?.labels ?? [])].map((label) => label.textContent);
    return [element?.ariaLabel, ...labels, element?.textContent].map((text) => text?.trim() ?? '');
  };
  const isNamed = (element: HTMLInputElement | null) =>
    namesOf(element).some((text) => (whole ? text === wanted : text.startsWith(wanted)));
  const controls = document.querySelectorAll<HTMLInputElement>('a[href], button, input, select, textarea');
  const here = document.activeElement as HTMLInputElement | null;
  return {
    isEnabled: [...controls].some((each) => !each.disabled && isNamed(each)),
    isFocused: isNamed(here),
    name: namesOf(here).find(Boolean)?.slice(0, 30) ?? '',
    // A part of a date field does not match the selector; keyboard-walk.ts checks how such a field is painted.
    isVisible: !here || here === document.body || here.type === 'date' || here.matches(':focus-visible'),
  };
}

/** @param page has to be the front page of its browser, because others do not paint */
export function keyboardOf(page: Page) {
  const walkTo = async (name: string, whole: boolean): Promise<void> => {
    await until(`'${name}' is enabled`, async () => (await page.evaluate(look, name, whole)).isEnabled);
    const stops: string[] = [];
    for (let i = 0; i < FARTHEST; i += 1) {
      const stop = await page.evaluate(look, name, whole);
      // The first field of a dialog has the focus from the start.
      if (stop.isFocused) return;
      if (i > 0 && !stop.isVisible) throw new Error(`the focus is not visible at '${stop.name}'`);
      stops.push(stop.name);
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach '${name}', but ${stops.join(' > ')}`);
  };
  return {
    /** Presses Tab until the element with this name has the focus, then Enter. */
    press: async (name: string): Promise<void> => {
      await walkTo(name, true);
      await page.keyboard.press('Enter');
    },
    /** Goes to the field whose label begins with this text, and types. */
    fill: async (label: string, text: string): Promise<void> => {
      await walkTo(label, false);
      await page.keyboard.type(text);
    },
    /** Goes to a file field and chooses these files in the browser's dialog. */
    choose: async (label: string, paths: string[]): Promise<void> => {
      await walkTo(label, true);
      const open = async () => {
        const chooser = page.waitForFileChooser({ timeout: CHOOSER_MS });
        return (await Promise.all([chooser, page.keyboard.press('Enter')]))[0];
      };
      // On a busy machine Chromium sometimes does not open its dialog.
      await (await open().catch(open)).accept(paths);
    },
  };
}
