import type { Page } from 'puppeteer-core';

/** The start of the first frame by which socket.io accepts the page. */
const ACCEPTED = '40';

/**
 * Reloads the page and waits until its socket is connected; the page finds earlier events only by polling.
 * @param onFrame is called with each frame that the page receives
 */
export async function reloadWithSocket(page: Page, onFrame?: (frame: string) => void): Promise<void> {
  const { promise: accepted, resolve: accept } = Promise.withResolvers<string>();
  await page.exposeFunction('receivedFrame', (frame: string) => {
    if (frame.startsWith(ACCEPTED)) accept(frame);
    onFrame?.(frame);
  });
  await page.evaluateOnNewDocument(reportFrames);
  await page.reload();
  await accepted;
}

/** Runs in the page before the app. */
function reportFrames(): void {
  // exposeFunction has added it.
  const { receivedFrame } = window as typeof window & { receivedFrame?: (frame: string) => void };
  window.WebSocket = class extends WebSocket {
    constructor(...how: ConstructorParameters<typeof WebSocket>) {
      super(...how);
      this.addEventListener('message', ({ data }) => receivedFrame?.(String(data)));
    }
  };
}
