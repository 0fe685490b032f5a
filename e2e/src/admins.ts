/** Admins of each role, with sessions of their own, and screens that they are signed in on. */
import type { AdminRole } from '@karaar/contracts/kit';
import { until } from '@karaar/testing/until';
import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { ADMIN_PASSWORD, makeAdmin } from './database.ts';
import { fetchPatiently } from './patience.ts';
import { openScreen, type Screen } from './browser/screen.ts';
import { sharedProduct } from './shared-product/index.ts';

export type Admin = { username: string; password: string; role: AdminRole; token: string };

/** A new admin, who has the development admin's password. */
export async function newAdmin(role: AdminRole): Promise<Admin> {
  const username = await makeAdmin(sharedProduct.postgresUrl, role);
  const answer = await fetchPatiently(`${sharedProduct.url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: ADMIN_PASSWORD }),
  });
  const { token } = (await answer.json()) as { token: string };
  return { username, password: ADMIN_PASSWORD, role, token };
}

/** A screen with the admin's token in local storage. */
export async function adminScreen(
  browser: Browser,
  { token }: Admin,
  viewport = { width: 1440, height: 900 },
): Promise<Screen> {
  const screen = await openScreen(browser, sharedProduct.url, viewport);
  await screen.goto('/robots.txt');
  await screen.page.evaluate((value: string) => localStorage.setItem('admin_token', value), token);
  return screen;
}

export const heading = (page: Page): Promise<string> =>
  page.$eval('main h1', (element) => element.textContent ?? '');
export const stored = (page: Page, key: string) =>
  page.evaluate((name: string) => localStorage.getItem(name), key);
export const columns = (page: Page) =>
  page.$$eval('[role="columnheader"]', (heads) => heads.map((head) => head.textContent?.trim()));
export const rows = (page: Page) =>
  page.$$eval('tbody [role="row"]', (all) => all.map((row) => (row as HTMLElement).innerText));
/** Waits until the list has as many rows, all of which say a text. */
export const lists = (page: Page, text: string, count?: number) =>
  until(`a list of '${text}'`, async () => {
    const busy = await page.$('[aria-busy="true"], [data-skeleton]');
    const shown = await rows(page);
    return (
      !busy &&
      shown.length === (count ?? shown.length) &&
      shown.length > 0 &&
      shown.every((row) => row.includes(text))
    );
  });
/** Waits for a call that the page makes. */
export const asks = (page: Page, method: string, path: RegExp): Promise<HTTPRequest> =>
  page.waitForRequest((request) => request.method() === method && path.test(request.url()));
