/** Whether a press reached what it was meant for. */
import type { ElementHandle } from 'puppeteer-core';

/**
 * Watches an element that is about to be pressed. A screen that still loads may move it between the moment in which its
 * place is measured and the click, which then lands on another element.
 * @returns a function to call after the press: true when the element got the press, or has left the page since, as a press can cause
 */
export async function watchPress(element: ElementHandle<Element>): Promise<() => Promise<boolean>> {
  const watch = await element.evaluateHandle((watched) => {
    const seen = { pressed: false };
    const note = () => {
      seen.pressed = true;
    };
    // A hidden checkbox gets the click alone, from its label; an option may go before the pointer is up.
    for (const type of ['pointerdown', 'click']) watched.addEventListener(type, note, { capture: true });
    return { watched, seen };
  });
  // After a press that leaves the page nothing of it can be asked any more.
  return () => watch.evaluate(({ watched, seen }) => seen.pressed || !watched.isConnected).catch(() => true);
}
