import type { AdminRole } from '@karaar/contracts/kit';
import { until } from '@karaar/testing/until';
import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { ADMIN_PASSWORD, makeAdmin } from './database.ts';
import { callerOf } from './person.ts';
import { WIDE } from './browser/opened.ts';
import { openScreen, type Screen } from './browser/screen.ts';
import { sharedProduct } from './shared-product/index.ts';

export type Admin = { username: string; password: string; role: AdminRole; token: string };

/** Creates an admin with the password of the development admin. */
export async function newAdmin(role: AdminRole): Promise<Admin> {
  const { url, postgresUrl } = sharedProduct;
  const username = await makeAdmin(postgresUrl, role);
  const credentials = { username, password: ADMIN_PASSWORD };
  const { body } = await callerOf(url).call('POST', '/admin/login', credentials);
  return { ...credentials, role, token: String(body['token']) };
}

export const adminScreen = (browser: Browser, { token }: Admin, viewport = WIDE): Promise<Screen> =>
  openScreen(browser, sharedProduct.url, viewport, { storage: { admin_token: token } });

export const heading = (page: Page): Promise<string> =>
  page.$eval('main h1', (element) => element.textContent ?? '');
export const stored = (page: Page, key: string) =>
  page.evaluate((name: string) => localStorage.getItem(name), key);
export const columns = (page: Page) =>
  page.$$eval('[role="columnheader"]', (heads) => heads.map((head) => head.textContent?.trim()));
export const rows = (page: Page) =>
  page.$$eval('tbody [role="row"]', (all) => all.map((row) => (row as HTMLElement).innerText));
/** Waits until the list has loaded, all its rows contain this text, and their number is `count`. */
export const lists = (page: Page, text: string, count?: number) =>
  until(`a list of '${text}'`, async () => {
    const busy = await page.$('[aria-busy="true"], [data-skeleton]');
    const shown = await rows(page);
    const hasAll = shown.length > 0 && shown.length === (count ?? shown.length);
    return !busy && hasAll && shown.every((row) => row.includes(text));
  });
export const asks = (page: Page, method: string, path: RegExp): Promise<HTTPRequest> =>
  page.waitForRequest((request) => request.method() === method && path.test(request.url()));
