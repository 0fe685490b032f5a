/** What a screen says in Latin letters although it is read in a language of another script. */
import { untranslatedWords } from '@karaar/testing/latin-words';
import type { HTTPResponse, Page } from 'puppeteer-core';

/** What services word; it is theirs, or the screen's, to say in the reader's language. */
const WORDED = new Set(['detail', 'message', 'msg', 'text', 'type']);
/** The wallet's words around a document's name. */
const AROUND_NAME = /^Payment for /;
/** `pending_approval`: for programs. */
const MACHINE_WORD = /^[a-z]+([_-][a-z]+)*$/;

/**
 * Every text that the services give the page as data: names, places, codes, file names, messages of people.
 * @returns a set that fills while the page loads
 */
export function collectData(page: Page): Set<string> {
  const data = new Set<string>();
  const take = (value: unknown, key: string, worded: ReadonlySet<string>): void => {
    if (typeof value === 'string') {
      const name = worded.has(key) ? (AROUND_NAME.test(value) ? value.replace(AROUND_NAME, '') : '') : value;
      // A user name or phone number may look like a word for programs.
      const isData = key === 'username' || !MACHINE_WORD.test(name);
      if (!isData) return;
      // A message's lines, and what stands around an address in it, are read one by one.
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
      // A file, or the page went on before it was read: neither gives it words.
      () => undefined,
    );
  });
  return data;
}

/** Runs in the page: what can be read, and what screen readers say. */
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

/** E-mails, addresses, hashes, codes of four and eight, initials, and how clocks are read. */
const NO_WORDS =
  /\S+@\S+|https?:\/\/\S+|\/\S*|\b[0-9a-f]{12,}\b|\b(?=[0-9A-Z]*\d)[0-9A-Z]{4,8}\b|\b[A-Z]{1,2}\b|\b[ap]\.?m\.?(?!\p{L})|\b\d+(?:px|x|×)\d*\b/giu;
const INITIALS = /^\p{Lu}{1,2}$/u;

/**
 * The texts of a page with words that were not translated.
 * @param data values that are not texts of the product ({@link collectData})
 */
export async function untranslatedTexts(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const texts = await page.evaluate(readPage);
  // The longest first: a name may be inside of another text that people typed.
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
