import type { Browser } from 'puppeteer-core';
import { openScreen, type Screen, type Viewport } from './browser/screen.ts';
import { newPerson, type Person } from './person.ts';

export type SignedIn = { person: Person; screen: Screen };

/** Registers a user over the API and opens a screen with the session, as a returning visitor has it. */
export async function signedIn(
  browser: Browser,
  url: string,
  name: string,
  viewport: Viewport,
): Promise<SignedIn> {
  const person = await newPerson(url, name);
  return { person, screen: await openScreen(browser, url, viewport, { storage: { token: person.token } }) };
}
