/** The page's socket, as the browser's protocol shows it. */
import type { Page } from 'puppeteer-core';

/** What the server's first frame begins with: socket.io lets the page in. */
const LET_IN = '40';

/**
 * Loads the page again and waits until its socket is let in: what happens before is only found by asking, seconds later.
 *
 * @param onFrame is told each frame that the page receives from then on
 */
export async function reloadWithSocket(page: Page, onFrame?: (frame: string) => void): Promise<void> {
  const devtools = await page.createCDPSession();
  await devtools.send('Network.enable');
  const letIn = new Promise<void>((resolve) => {
    devtools.on('Network.webSocketFrameReceived', ({ response: { payloadData } }) => {
      if (payloadData.startsWith(LET_IN)) resolve();
      onFrame?.(payloadData);
    });
  });
  await page.reload();
  await letIn;
}
