/** What a page asks of the API, and the codes that phones get. */
import type { HTTPRequest, Page } from 'puppeteer-core';
import { fetchPatiently } from '../patience.ts';

export type Call = { call: string; body: string };
/** What the page asks of the API from now on. */
export function callsOf(page: Page): Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/'))
      calls.push({ call: `${request.method()} ${pathname}`, body: request.postData() ?? '' });
  });
  return calls;
}
/** Those of one method and path. */
export const asked = (calls: Call[], call: string): Call[] => calls.filter((each) => each.call === call);

/** Milliseconds without a request after which the page has shown the answers and asked for what follows from them. */
const QUIET_MS = 300;

/**
 * The requests of a page that are not answered yet. puppeteer's own wait for them never ends after a page was left
 * while it loaded scripts: the browser does not report the end of these.
 */
export function requestsOf(page: Page): { quiet: () => boolean; open: () => string[] } {
  const open = new Set<HTTPRequest>();
  let [changed, leaving] = [Date.now(), false];
  page.on('request', (request) => {
    changed = Date.now();
    // Its end is not reported either, when the worker was ended before its script had come.
    if (isWorker(request)) return;
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

const isWorker = (request: HTTPRequest): boolean => /\.worker\.[^/]*$/.test(new URL(request.url()).pathname);

/** The newest code that this phone got. */
export async function codeTo(url: string, phone: string): Promise<string> {
  const inbox = await fetchPatiently(`${url}/dev/sms?phone_no=${encodeURIComponent(phone)}`);
  const [newest] = (await inbox.json()) as { code: string | null }[];
  if (!newest?.code) throw new Error(`no code for ${phone}`);
  return newest.code;
}
