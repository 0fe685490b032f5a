const SCHEMES: readonly string[] = ['https:', 'http:', 'mailto:', 'tel:'];
/** A placeholder origin: a URL that keeps it is an address of this site. */
const HERE = 'https://here.invalid';

/**
 * Returns the address of a link, or undefined if it is unsafe. It parses like a browser (WHATWG URL), so an
 * obfuscated `javascript:` is found as well.
 */
export function safeHref(url: string): string | undefined {
  if (!URL.canParse(url, HERE)) return undefined;
  const parsed = new URL(url, HERE);
  if (parsed.origin === HERE) {
    const path = `${parsed.pathname}${parsed.search}${parsed.hash}`;
    // `/\evil` also parses to this origin, but in an attribute a leading `//` would lead to another site.
    if (path.startsWith('//')) return undefined;
    return url.startsWith('#') ? parsed.hash : path;
  }
  return SCHEMES.includes(parsed.protocol) ? parsed.href : undefined;
}
