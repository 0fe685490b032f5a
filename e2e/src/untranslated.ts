/** Finds texts in Latin letters on a screen in a language with another script. */
import { untranslatedWords } from '@karaar/testing/latin-words';
import type { HTTPResponse, Page } from 'puppeteer-core';

/** Fields with texts of the services, which the services or the screen have to translate. */
const WORDED = new Set(['detail', 'message', 'msg', 'text', 'type']);
/** A text of the wallet that contains a document's name. */
const AROUND_NAME = /^Payment for /;
/** An identifier such as `pending_approval`. */
const MACHINE_WORD = /^[a-z]+([_-][a-z]+)*$/;

/** Returns a set that fills with the data in the answers to the page: names, places, codes, file names, messages. */
export function collectData(page: Page): Set<string> {
  const data = new Set<string>();
  const take = (value: unknown, key: string, worded: ReadonlySet<string>): void => {
    if (typeof value === 'string') {
      const name = worded.has(key) ? (AROUND_NAME.test(value) ? value.replace(AROUND_NAME, '') : '') : value;
      // A user name may look like an identifier.
      if (key !== 'username' && MACHINE_WORD.test(name)) return;
      // The page shows lines, and texts around a link, as separate elements.
      for (const part of [name, ...name.split(/\n|https?:\S+/)])
        if (part.trim() !== '') data.add(part.trim());
    } else if (Array.isArray(value)) value.forEach((each) => take(each, key, worded));
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) take(each, name, worded);
  };
  page.on('response', (response: HTTPResponse) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/api/') || !response.ok()) return;
    const worded = pathname.startsWith('/api/wallet/') ? new Set([...WORDED, 'description']) : WORDED;
    response.json().then(
      (body: unknown) => take(body, '', worded),
      () => undefined, // a file, or the page navigated away
    );
  });
  return data;
}

function readPage(): string[] {
  const language = document.documentElement.lang;
  const texts: string[] = [];
  const skipped = (element: Element): boolean =>
    element.closest('[translate="no"], script, style, noscript, svg, [hidden]') !== null ||
    (element.closest('[lang]')?.getAttribute('lang') ?? language) !== language;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent && !skipped(parent) && parent.checkVisibility()) texts.push(node.textContent ?? '');
  }
  for (const element of document.body.querySelectorAll('*'))
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'placeholder']) {
      const value = element.getAttribute(name);
      if (value && !skipped(element)) texts.push(value);
    }
  return [document.title, ...texts].map((text) => text.trim()).filter((text) => text !== '');
}

/** E-mails, addresses, hashes, codes, initials, AM and PM, and sizes in pixels. */
const NO_WORDS =
  /\S+@\S+|https?:\/\/\S+|\/\S*|\b[0-9a-f]{12,}\b|\b(?=[0-9A-Z]*\d)[0-9A-Z]{4,8}\b|\b[A-Z]{1,2}\b|\b[ap]\.?m\.?(?!\p{L})|\b\d+(?:px|x|×)\d*\b/giu;
const INITIALS = /^\p{Lu}{1,2}$/u;

/**
 * Returns the texts of a page that contain untranslated words.
 * @param data values that are not texts of the product ({@link collectData})
 */
export async function untranslatedTexts(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const texts = await page.evaluate(readPage);
  // The longest first, because a user's text may contain a name.
  const known = [...data].sort((a, b) => b.length - a.length);
  const left = new Set<string>();
  for (const text of texts) {
    if (INITIALS.test(text)) continue;
    let rest = text;
    for (const value of known) rest = rest.replaceAll(value, ' ');
    const words = untranslatedWords(rest.replace(NO_WORDS, ' '));
    if (words.length > 0) left.add(`“${text.slice(0, 80)}” (${words.slice(0, 4).join(', ')})`);
  }
  return [...left];
}
