/** Finds URLs in messages. */

export type TextPart = { text: string; href?: string };

const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"'`]+/giu;
/** Punctuation that ends a sentence, not a URL. */
const TRAILING = /[.,;:!?…।’”)\]}]+$/u;

/**
 * Splits a text into plain parts and links. Only http and https URLs with a host become links, so that a link
 * never runs code and always leads where its text says.
 */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const found of text.matchAll(ADDRESS)) {
    const address = withoutTrailing(found[0]);
    const href = hrefOf(address);
    if (!href) continue;
    if (found.index > end) parts.push({ text: text.slice(end, found.index) });
    parts.push({ text: address, href });
    end = found.index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Keeps a bracket that the URL opens: https://en.wikipedia.org/wiki/Karaar_(film). */
function withoutTrailing(address: string): string {
  const cut = address.replace(TRAILING, '');
  const opened = cut.split('(').length - cut.split(')').length;
  return opened > 0 && address[cut.length] === ')' ? `${cut})` : cut;
}

function hrefOf(address: string): string | null {
  const whole = address.toLowerCase().startsWith('www.') ? `https://${address}` : address;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  if (!url.hostname.includes('.') || url.username || url.password) return null;
  return url.href;
}
