/** Addresses in what people write. */

export type TextPart = { text: string; href?: string };

const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"'`]+/giu;
/** What ends a sentence rather than an address. */
const TRAILING = /[.,;:!?…।’”)\]}]+$/u;

/**
 * Cuts a text into plain parts and links. Only http and https, only where the browser reads an address with a host in
 * it: a link never runs anything and never goes elsewhere than it says.
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

/** A bracket belongs to the address when the address opens it: https://en.wikipedia.org/wiki/Karaar_(film). */
function withoutTrailing(address: string): string {
  const cut = address.replace(TRAILING, '');
  const opened = cut.split('(').length - cut.split(')').length;
  return opened > 0 && address[cut.length] === ')' ? `${cut})` : cut;
}

function hrefOf(address: string): string | null {
  const url = URL.parse(address.toLowerCase().startsWith('www.') ? `https://${address}` : address);
  if (!url || !url.hostname.includes('.') || url.username || url.password) return null;
  return url.href;
}
