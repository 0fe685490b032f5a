/** What the page says aloud: one text at a time, heard by the {@link subscribe}d region. */

let text = '';
const listeners = new Set<() => void>();

/** Tells people who use a screen reader something that others see. */
export function announce(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

export const announced = (): string => text;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
