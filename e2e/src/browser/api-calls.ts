/** What a page asks of the API, and the codes that phones get. */
import type { Page } from 'puppeteer-core';
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

/** The newest code that this phone got. */
export async function codeTo(url: string, phone: string): Promise<string> {
  const inbox = await fetchPatiently(`${url}/dev/sms?phone_no=${encodeURIComponent(phone)}`);
  const [newest] = (await inbox.json()) as { code: string | null }[];
  if (!newest?.code) throw new Error(`no code for ${phone}`);
  return newest.code;
}
