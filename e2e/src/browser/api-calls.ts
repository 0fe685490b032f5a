import type { HTTPRequest, Page } from 'puppeteer-core';
import { keepBody } from './engine.ts';

export type Call = { call: string; body: string };

/** Collects the API requests of a page from now on. */
export function callsOf(page: Page): Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return;
    const call = { call: `${request.method()} ${pathname}`, body: '' };
    calls.push(call);
    keepBody(request, (body) => (call.body = body));
  });
  return calls;
}
export const asked = (calls: Call[], call: string): Call[] => calls.filter((each) => each.call === call);

/** After this time without a request, the page has rendered the answers and made the requests that follow from them. */
const QUIET_MS = 300;

/**
 * Follows the open requests of a page. puppeteer's own wait for network idle never ends if the page was left while it
 * loaded scripts, because the browser does not report their end.
 */
export function requestsOf(page: Page): { quiet: () => boolean; open: () => string[] } {
  const open = new Set<HTTPRequest>();
  let [changed, leaving] = [Date.now(), false];
  page.on('request', (request) => {
    changed = Date.now();
    // The browser does not report the end of a worker's script if the worker ended first.
    if (/\.worker\.[^/]*$/.test(new URL(request.url()).pathname)) return;
    open.add(request);
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) leaving = true;
  });
  page.on('framenavigated', (frame) => {
    if (!leaving || frame !== page.mainFrame()) return;
    open.clear();
    leaving = false;
  });
  const end = (request: HTTPRequest) => {
    changed = Date.now();
    open.delete(request);
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return {
    quiet: () => open.size === 0 && Date.now() - changed > QUIET_MS,
    open: () => [...open].map((request) => request.url()),
  };
}
