import type { Page } from 'puppeteer-core';
import type { OpenOptions } from './browser/opened.ts';
import { databaseUrl } from './database.ts';
import type { Person } from './person.ts';
import { sharedProduct } from './shared-product/index.ts';

/** A pushed message has to show within this time, which is shorter than every poll. Milliseconds. */
export const AT_ONCE = 4_000;

export const say = (from: Person, to: Person, content: string) =>
  from.call('POST', '/messaging/send', { receiver_id: to.userId, content });

export const threadOf = (me: Person, other: Person, more: Partial<OpenOptions> = {}): OpenOptions => ({
  path: `/chat/${other.userId}`,
  as: me,
  ...more,
});

export const bubbles = (page: Page): Promise<string[]> =>
  page.$$eval('[role="log"] article', (all) => all.map((each) => each.textContent ?? ''));

export const seesBubble = (page: Page, ...parts: string[]) =>
  page.waitForFunction(
    (wanted: string[]) =>
      [...document.querySelectorAll('[role="log"] article')].some((each) =>
        wanted.every((part) => each.textContent?.includes(part)),
      ),
    { timeout: AT_ONCE, polling: 50 },
    parts,
  );

export const messagingUrl = (): string => databaseUrl(sharedProduct.postgresUrl, 'messaging');
