/** Milliseconds after which the browser reports a lost network: requests fail earlier. */
const KNOWN_MS = 1_000;

/**
 * Runs work that needs the network. Failed work is repeated once, after the network returns if it is lost; a
 * second failure with a network is reported.
 */
export function withNetwork(work: () => Promise<void>, again = true): void {
  work().catch((error: unknown) =>
    setTimeout(() => {
      if (!navigator.onLine) window.addEventListener('online', () => withNetwork(work), { once: true });
      else if (again) withNetwork(work, false);
      else reportError(error);
    }, KNOWN_MS),
  );
}
