import { randomInt } from 'node:crypto';
import type { Browser } from 'puppeteer-core';
import { openScreen, type Screen, type Viewport } from './browser/screen.ts';
import { newPerson, type Person } from './person.ts';

/** Returns a phone number, with +91, that no other journey of this run has. */
export const freshPhone = (): string => `+916${String(randomInt(1e9)).padStart(9, '0')}`;

export type SignedIn = { person: Person; screen: Screen };

/** Registers a user over the API and opens a screen with the session, as a returning visitor has it. */
export async function signedIn(
  browser: Browser,
  url: string,
  name: string,
  viewport: Viewport,
): Promise<SignedIn> {
  const person = await newPerson(url, name, freshPhone());
  return { person, screen: await openScreen(browser, url, viewport, { storage: { token: person.token } }) };
}
