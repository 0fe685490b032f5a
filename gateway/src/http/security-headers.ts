export type Header = readonly [string, string];

export type SecurityOptions = {
  /** Whether browsers reach the product over https. */
  https: boolean;
  /** Origins of the card provider's checkout (script, frame and calls); none with the sandbox. */
  checkoutOrigins: readonly string[];
  /** Origins of remotes that are not served from here. */
  remoteOrigins: readonly string[];
};

/** On everything, whoever made the answer. */
export function commonHeaders({ https }: SecurityOptions): Header[] {
  const headers: Header[] = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['permissions-policy', 'camera=(self), microphone=(), geolocation=(), usb=(), browsing-topics=()'],
    ['cross-origin-opener-policy', 'same-origin-allow-popups'],
    ['cross-origin-resource-policy', 'same-origin'],
  ];
  if (https) headers.push(['strict-transport-security', 'max-age=63072000; includeSubDomains']);
  return headers;
}

/** Answers of the API are data: a browser that is made to open one as a page runs nothing. */
export function apiHeaders(options: SecurityOptions): Header[] {
  return [
    ...commonHeaders(options),
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['cache-control', 'no-store'],
  ];
}

/**
 * The policy of the product's pages [design §3 Sessions]: scripts come from us and the checkout provider
 * only, never inline. Style attributes are allowed (the component library positions with them), style
 * elements are not.
 */
export function pagePolicy({ https, checkoutOrigins, remoteOrigins }: SecurityOptions): string {
  const list = (...sources: string[]) => [...sources, ...checkoutOrigins].join(' ');
  const ours = (...sources: string[]) => ["'self'", ...sources, ...remoteOrigins].join(' ');
  return [
    "default-src 'self'",
    `script-src ${list(ours())}`,
    `style-src ${ours()}`,
    "style-src-attr 'unsafe-inline'",
    `img-src ${ours('blob:', 'data:')}`,
    `font-src ${ours()}`,
    "media-src 'self' blob:",
    `connect-src ${list(ours())}`,
    "worker-src 'self' blob:",
    `frame-src ${list("'self'", 'blob:')}`,
    "frame-ancestors 'none'",
    `form-action ${list("'self'")}`,
    "base-uri 'none'",
    "object-src 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
