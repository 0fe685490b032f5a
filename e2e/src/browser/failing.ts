/** Calls that fail in the browser without the server's doing: answers that no server of ours would give, lost scripts. */
import type { HTTPRequest, Page } from 'puppeteer-core';

export type Answer = { status: number; contentType?: string; body: string };

/** An answer that says nothing: the page has only its own words for it. 400, which nothing repeats by itself. */
export const SILENT: Answer = { status: 400, contentType: 'application/json', body: '{}' };

/**
 * From now on these calls get these answers.
 *
 * @param answers by 'METHOD pattern', the pattern a regular expression over the path
 * @returns lets everything through again
 */
export async function failing(page: Page, answers: Record<string, Answer>): Promise<() => Promise<void>> {
  const rules = Object.entries(answers).map(([key, answer]) => {
    const [method = '', pattern = ''] = key.split(' ');
    return { method, pattern: new RegExp(pattern), answer };
  });
  const decide = (request: HTTPRequest) => {
    const { pathname } = new URL(request.url());
    const rule = rules.find(({ method, pattern }) => method === request.method() && pattern.test(pathname));
    if (!rule) return void request.continue();
    const { status, contentType = 'application/json', body } = rule.answer;
    void request.respond({ status, contentType, body });
  };
  // A request that a service worker makes is not the page's, and would not be seen here.
  await page.setBypassServiceWorker(true);
  await page.setRequestInterception(true);
  page.on('request', decide);
  return async () => {
    page.off('request', decide);
    await page.setRequestInterception(false);
  };
}
