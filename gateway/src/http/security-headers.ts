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
export function commonHeaders({ https }: Pick<SecurityOptions, 'https'>): Header[] {
  const headers: Header[] = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    // Not `same-origin`: banks open their pages in windows that answer to the one that opened them.
    ['cross-origin-opener-policy', 'same-origin-allow-popups'],
    ['cross-origin-resource-policy', 'same-origin'],
  ];
  if (https) headers.push(['strict-transport-security', 'max-age=63072000; includeSubDomains']);
  return headers;
}

/** Answers of the API are data: a browser that is made to open one as a page runs nothing. */
export function apiHeaders(options: Pick<SecurityOptions, 'https'>): Header[] {
  return [
    ...commonHeaders(options),
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['cache-control', 'no-store'],
  ];
}

/** Scripts, styles, fonts: what a worker may do whose script this is, and a file that is opened as a page. */
export function fileHeaders(options: Pick<SecurityOptions, 'https'>): Header[] {
  return [
    ...commonHeaders(options),
    ['content-security-policy', "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"],
  ];
}

/** The document of the product and of every screen in it. */
export function pageHeaders(options: SecurityOptions): Header[] {
  return [
    ...commonHeaders(options),
    ['content-security-policy', pagePolicy(options)],
    ['permissions-policy', permissions(options.checkoutOrigins)],
  ];
}

/** The document in which the card provider's checkout runs, framed by the wallet and by nobody else. */
export function checkoutHeaders(options: SecurityOptions): Header[] {
  return [
    ...commonHeaders(options),
    ['content-security-policy', checkoutPolicy(options)],
    ['permissions-policy', permissions(options.checkoutOrigins)],
  ];
}

const policy = (https: boolean, directives: readonly string[]): string =>
  [...directives, ...(https ? ['upgrade-insecure-requests'] : [])].join('; ');

/**
 * Trusted Types policies: the address check of libs/api-client, and those that webpack makes for each build's own
 * chunks (apps/webpack.base.mjs).
 */
const TYPES = ['karaar', 'karaar-shell', 'karaar-user-mfe', 'karaar-admin-mfe'];

/**
 * The policy of the product's pages [design §3 Sessions; ADR 0023]: scripts, styles and fonts come from us and from
 * remotes that the configuration names, nothing is inline, nothing is evaluated, and the page's own code cannot make
 * a script, a worker or markup from a text by accident (Trusted Types).
 */
function pagePolicy({ https, remoteOrigins }: SecurityOptions): string {
  const ours = (...sources: string[]) => ["'self'", ...sources, ...remoteOrigins].join(' ');
  return policy(https, [
    "default-src 'self'",
    `script-src ${ours()}`,
    `style-src ${ours()}`,
    `img-src ${ours('blob:', 'data:')}`,
    `font-src ${ours()}`,
    "media-src 'self' blob:",
    `connect-src ${ours()}`,
    "worker-src 'self'",
    "frame-src 'self' blob:",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TYPES.join(' ')}`,
  ]);
}

/** The provider's script styles itself inline and writes its markup as text: hence a document of its own. */
function checkoutPolicy({ https, checkoutOrigins }: SecurityOptions): string {
  const theirs = (...sources: string[]) => ["'self'", ...sources, ...checkoutOrigins].join(' ');
  return policy(https, [
    "default-src 'none'",
    `script-src ${theirs()}`,
    `style-src ${theirs("'unsafe-inline'")}`,
    `img-src ${theirs('data:')}`,
    `font-src ${theirs('data:')}`,
    `connect-src ${theirs()}`,
    `frame-src ${theirs()}`,
    `form-action ${theirs()}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ]);
}

/** What no screen uses. A browser that does not know one of the names says so and goes on. */
const SWITCHED_OFF = [
  'accelerometer',
  'browsing-topics',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

function permissions(checkoutOrigins: readonly string[]): string {
  const payment = ['self', ...checkoutOrigins.map((origin) => `"${origin}"`)].join(' ');
  return ['camera=(self)', `payment=(${payment})`, ...SWITCHED_OFF.map((name) => `${name}=()`)].join(', ');
}
