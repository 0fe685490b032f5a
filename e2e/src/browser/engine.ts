/** The browser engine of a run: Chromium, or Firefox with KARAAR_BROWSER=firefox. */
import { launchChromium } from '@karaar/testing/servers/chromium';
import { drawCamera, launchFirefox } from '@karaar/testing/servers/firefox';
import type { BrowserContext, HTTPRequest, Page } from 'puppeteer-core';

const isFirefox = process.env['KARAAR_BROWSER'] === 'firefox';

export const launch = isFirefox ? launchFirefox : launchChromium;

/** Opens a page that may use the camera and moves little: clicks during a transition between screens are lost. */
export async function openPage(context: BrowserContext, baseUrl: string): Promise<Page> {
  if ((await context.browser().version()).startsWith('firefox')) {
    // Firefox hides a tab behind another one. It has neither of the calls below; launchFirefox sets both.
    const page = await context.newPage({ type: 'window' });
    await drawCamera(page);
    return page;
  }
  await context.overridePermissions(baseUrl, ['camera']);
  const page = await context.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  return page;
}

/** Hands over the body of a request, in Firefox a moment later. */
export function keepBody(request: HTTPRequest, keep: (body: string) => void): void {
  if (!isFirefox) return keep(request.postData() ?? '');
  // A page that is gone has no body to read.
  void request.fetchPostData().then(
    (body) => keep(body ?? ''),
    () => undefined,
  );
}
