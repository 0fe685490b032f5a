import type { Page } from 'puppeteer-core';

/** The start of the first frame by which socket.io accepts the page. */
const ACCEPTED = '40';

/**
 * Reloads the page and waits until its socket is connected; the page finds earlier events only by polling.
 * @param onFrame is called with each frame that the page receives
 */
export async function reloadWithSocket(page: Page, onFrame?: (frame: string) => void): Promise<void> {
  const devtools = await page.createCDPSession();
  await devtools.send('Network.enable');
  const accepted = new Promise<void>((resolve) => {
    devtools.on('Network.webSocketFrameReceived', ({ response: { payloadData } }) => {
      if (payloadData.startsWith(ACCEPTED)) resolve();
      onFrame?.(payloadData);
    });
  });
  await page.reload();
  await accepted;
}
