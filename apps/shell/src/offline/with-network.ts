/** Milliseconds after which the browser surely knows that the network is away: requests fail before it says so. */
const KNOWN_MS = 1_000;

/**
 * Does what needs the network. What failed is tried once more, or when there is a network again if there is none; what
 * fails twice with one is reported.
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
