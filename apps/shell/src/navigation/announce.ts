/** The announcement of the page: one text at a time, rendered by the {@link subscribe}d live region. */

let text = '';
const listeners = new Set<() => void>();

/** Announces a text to users of screen readers. */
export function announce(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

export const announced = (): string => text;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
