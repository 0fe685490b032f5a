/** True if a newer version of the app is available than the one of this page. */

let newer = false;
const listeners = new Set<() => void>();

export const isNewer = (): boolean => newer;

function versionChanged(): void {
  newer = true;
  for (const listener of listeners) listener();
}

/** Starts to watch with the page: another worker may take it over before ours is started (worker.ts). */
export function watchVersion(): void {
  if (!('serviceWorker' in navigator)) return;
  const had = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => had && versionChanged());
}

/** The user does not want to reload now: the next start loads the new version anyway. */
export function laterThen(): void {
  newer = false;
  for (const listener of listeners) listener();
}

export function onVersion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
