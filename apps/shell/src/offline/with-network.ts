/** Does what needs the network. What it could not do while there was none is done when there is one again. */
export function withNetwork(work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    if (navigator.onLine) reportError(error);
    else window.addEventListener('online', () => withNetwork(work), { once: true });
  });
}
