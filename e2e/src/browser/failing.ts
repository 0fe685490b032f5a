/** Requests of a page that fail in the browser, before they reach the server. */
import type { HTTPRequest, Page } from 'puppeteer-core';

export type Answer = { status: number; contentType?: string; body?: string };

/** An answer without a text, so that the page has to use its own; 400, because nothing retries it. */
export const SILENT: Answer = { status: 400, body: '{}' };

/** Decides about a request: the page sends it (undefined), it is reset, it never ends, or it gets this answer. */
export type Interference = (request: HTTPRequest) => undefined | 'reset' | 'never' | Answer;

/** @returns a function that lets all requests through again */
export async function interfere(page: Page, decide: Interference): Promise<() => Promise<void>> {
  const handle = (request: HTTPRequest) => {
    const instead = decide(request);
    if (instead === undefined) void request.continue();
    else if (instead === 'reset') void request.abort('connectionreset');
    else if (instead !== 'never') void request.respond({ body: '', ...instead });
  };
  await page.setRequestInterception(true);
  page.on('request', handle);
  return async () => {
    page.off('request', handle);
    await page.setRequestInterception(false);
  };
}

/**
 * Gives these requests these answers.
 * @param answers by method and a regular expression for the path: 'POST /auth/register$'
 * @returns a function that lets all requests through again
 */
export async function failing(page: Page, answers: Record<string, Answer>): Promise<() => Promise<void>> {
  const rules = Object.entries(answers).map(([key, answer]) => {
    const [method, pattern = ''] = key.split(' ');
    return { method, pattern: new RegExp(pattern), answer: { contentType: 'application/json', ...answer } };
  });
  // The page does not see the requests of a service worker.
  await page.setBypassServiceWorker(true);
  return interfere(page, (request) => {
    const { pathname } = new URL(request.url());
    return rules.find(({ method, pattern }) => method === request.method() && pattern.test(pathname))?.answer;
  });
}
