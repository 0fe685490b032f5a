/** Walks over a screen with the Tab key. axe (axe.ts) checks the names of the controls. */
import type { Page } from 'puppeteer-core';

/** The browser has a stop of its own between the last and the first element. */
const SPARE = 4;

/** Returns the controls that Tab does not reach, and the stops whose focus is invisible or covered. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  await page.evaluate(installWalk);
  const stops = await page.evaluate(() => window.walk.begin());
  for (let i = 0; i < stops + SPARE; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => window.walk.arrive())) break;
  }
  return page.evaluate(() => window.walk.end());
}

/** Returns the running animations, for a page whose visitor asked for reduced motion. */
export const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((each) => each.playState === 'running')
      .map((each) => {
        const target = (each.effect as KeyframeEffect | null)?.target;
        return `moves despite reduced motion: ${target?.outerHTML.slice(0, 80) ?? each.id}`;
      }),
  );

declare global {
  interface Window {
    walk: {
      /** @returns the number of stops to expect */
      begin: () => number;
      /** Checks the focused element. @returns true when all have been reached */
      arrive: () => boolean;
      end: () => string[];
    };
  }
}

function installWalk(): void {
  const TABBABLE =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true], [tabindex]';
  const nameOf = (element: Element) =>
    element.outerHTML.replace(/\s(class|style|d)="[^"]*"/g, '').slice(0, 110);
  const isRadio = (element: Element): element is HTMLInputElement =>
    element instanceof HTMLInputElement && element.type === 'radio';

  /** Returns the elements that Tab should reach; only those of the dialog if one is open. */
  const expected = (): Element[] => {
    const dialogs = [...document.querySelectorAll('[role=dialog], dialog[open]')];
    const groups = new Set<string>();
    return [...(dialogs.at(-1) ?? document.body).querySelectorAll<HTMLElement>(TABBABLE)].filter(
      (element) => {
        if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) return false;
        if (!element.checkVisibility({ visibilityProperty: true })) return false;
        // Tab stops once per group of radio buttons.
        if (!isRadio(element)) return true;
        const isFirst = !groups.has(element.name);
        groups.add(element.name);
        return isFirst;
      },
    );
  };
  /** Returns the styles of an element and those around it, because the frame or a sibling may show the focus. */
  const painted = (element: Element): string => {
    const around = [element];
    for (let up = element.parentElement; up && around.length < 4; up = up.parentElement) around.push(up);
    around.push(...[...(element.parentElement?.querySelectorAll('*') ?? [])].slice(0, 40));
    return around
      .map((each) => {
        const { outline, boxShadow, borderColor, backgroundColor, top, color } = getComputedStyle(each);
        return [outline, boxShadow, borderColor, backgroundColor, top, color].join();
      })
      .join(';');
  };
  /** Returns true if something sticky covers the whole element. */
  const covered = (element: Element): boolean => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 3, top + 3],
      [right - 3, bottom - 3],
    ] as const;
    return points.every(([x, y]) => {
      const hit = document.elementFromPoint(x, y);
      if (!hit || element.contains(hit) || hit.contains(element)) return false;
      return !(hit.closest('label')?.control === element || hit.parentElement?.contains(element));
    });
  };

  let all: Element[] = [];
  let last: { element: Element; look: string } | null = null;
  const seen = new Set<Element>();
  const faults: string[] = [];
  const leave = () => {
    if (last && painted(last.element) === last.look)
      faults.push(`the focus is invisible: ${nameOf(last.element)}`);
    last = null;
  };
  const blur = () => (document.activeElement as HTMLElement | null)?.blur();
  window.walk = {
    begin: () => {
      blur();
      all = expected();
      return all.length;
    },
    arrive: () => {
      const here = document.activeElement;
      if (here && here === last?.element) return false;
      leave();
      if (!here || here === document.body) return false;
      if (seen.has(here)) return all.every((each) => seen.has(each));
      seen.add(here);
      if (covered(here)) faults.push(`covered while it has the focus: ${nameOf(here)}`);
      last = { element: here, look: painted(here) };
      return false;
    },
    end: () => {
      blur();
      leave();
      // Some elements may have disappeared, or become another stop of their radio group.
      const now = new Set(expected());
      const isSeen = (each: Element) =>
        seen.has(each) ||
        (isRadio(each) && [...seen].some((other) => isRadio(other) && other.name === each.name));
      const missed = all.filter((each) => now.has(each) && !isSeen(each));
      return [...faults, ...missed.map((each) => `Tab does not reach ${nameOf(each)}`)];
    },
  };
}
