/** Screens of people who are signed in already: for journeys that are about something else than signing in. */
import { randomInt } from 'node:crypto';
import type { Browser } from 'puppeteer-core';
import { newPerson, type Person } from './person.ts';
import { openScreen, type Screen } from './browser/screen.ts';

/** A phone number that no other journey of this run has, with +91. */
export const freshPhone = (): string => `+916${String(randomInt(1e9)).padStart(9, '0')}`;

export type SignedIn = { person: Person; screen: Screen };

/**
 * Registers a new person over the API and opens a screen with the session in local storage, as a returning visitor
 * has it: the app finds a token without a user and fetches the profile (spec §4 Session).
 *
 * @param viewport CSS pixels
 */
export async function signedIn(
  browser: Browser,
  url: string,
  name: string,
  viewport: { width: number; height: number },
): Promise<SignedIn> {
  const person = await newPerson(url, name, freshPhone());
  const screen = await openScreen(browser, url, viewport);
  await screen.goto('/robots.txt');
  await screen.page.evaluate((token: string) => localStorage.setItem('token', token), person.token);
  return { person, screen };
}
