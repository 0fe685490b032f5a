const SCHEMES: readonly string[] = ['https:', 'http:', 'mailto:', 'tel:'];
/** Any address will do; it only tells addresses of this site from others. */
const HERE = 'https://here.invalid';

/**
 * The address of a link as browsers read it, or undefined for one that may not be followed. Parsed as browsers
 * parse it (WHATWG URL), so that no spelling of `javascript:` means one thing here and another there.
 */
export function safeHref(url: string): string | undefined {
  if (!URL.canParse(url, HERE)) return undefined;
  const parsed = new URL(url, HERE);
  if (parsed.origin === HERE) {
    const path = `${parsed.pathname}${parsed.search}${parsed.hash}`;
    // `/\evil` and the like end here as well; `//` would lead away again once it is an attribute.
    if (path.startsWith('//')) return undefined;
    return url.startsWith('#') ? parsed.hash : path;
  }
  return SCHEMES.includes(parsed.protocol) ? parsed.href : undefined;
}
