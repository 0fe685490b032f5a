/** Headers that tell browsers what our answers may do, by `@fastify/helmet` [design §3 Sessions; ADR 0023]. */
import type { FastifyHelmetOptions } from '@fastify/helmet';

export type SecurityOptions = {
  /** Whether browsers reach the product over https. */
  https: boolean;
  /** Origins of the card provider's checkout (script, frame and calls); none with the sandbox. */
  checkoutOrigins: readonly string[];
  /** Origins of remotes that are not served from here. */
  remoteOrigins: readonly string[];
};
type Policy = FastifyHelmetOptions;

/** What every answer carries, with the directives of its kind. */
function policy(https: boolean, text: string): Policy {
  const directives = text.split(';').map((part): [string, string[]] => {
    const [name = '', ...sources] = part.trim().split(/\s+/);
    return [name, sources];
  });
  return {
    contentSecurityPolicy: { useDefaults: false, directives: Object.fromEntries(directives) },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Not `same-origin`: banks open their pages in windows that answer to the one that opened them.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: https && { maxAge: 63_072_000, includeSubDomains: true },
    // `frame-ancestors` and the policies above say what these said before them.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  };
}

/**
 * Answers of the API are data: a browser that is made to open one as a page runs nothing. They are the same for each
 * answer, and set without helmet, which would work them out anew every time.
 */
export const apiHeaders = ({ https }: SecurityOptions): Readonly<Record<string, string>> => ({
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  ...(https && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
});

/** Scripts, styles, fonts: what a worker may do whose script this is, and a file that is opened as a page. */
export const filePolicy = ({ https }: SecurityOptions): Policy =>
  policy(https, "default-src 'self'; frame-ancestors 'none'; base-uri 'none'");

const upgrade = (https: boolean) => (https ? '; upgrade-insecure-requests' : '');

/**
 * Trusted Types policies: the address check of libs/api-client, and those that webpack makes for each build's own
 * chunks (apps/webpack.base.mjs).
 */
const TYPES = 'karaar karaar-shell karaar-user-mfe karaar-admin-mfe';

/**
 * The product's pages: scripts, styles and fonts come from us and from remotes that the configuration names, nothing is
 * inline, nothing is evaluated, and the page's own code cannot make a script, a worker or markup from a text by accident
 * (Trusted Types).
 */
export function pagePolicy({ https, remoteOrigins }: SecurityOptions): Policy {
  const ours = ["'self'", ...remoteOrigins].join(' ');
  return policy(
    https,
    `default-src 'self'; script-src ${ours}; style-src ${ours}; img-src ${ours} blob: data:; font-src ${ours};
    media-src 'self' blob:; connect-src ${ours}; worker-src 'self'; frame-src 'self' blob:; frame-ancestors 'none';
    form-action 'self'; base-uri 'none'; object-src 'none'; require-trusted-types-for 'script';
    trusted-types ${TYPES}${upgrade(https)}`,
  );
}

/**
 * The document in which the card provider's checkout runs, framed by the wallet alone. The provider's script styles
 * itself inline and writes its markup as text: hence a document of its own.
 */
export function checkoutPolicy({ https, checkoutOrigins }: SecurityOptions): Policy {
  const theirs = ["'self'", ...checkoutOrigins].join(' ');
  return policy(
    https,
    `default-src 'none'; script-src ${theirs}; style-src ${theirs} 'unsafe-inline'; img-src ${theirs} data:;
    font-src ${theirs} data:; connect-src ${theirs}; frame-src ${theirs}; form-action ${theirs};
    frame-ancestors 'self'; base-uri 'none'${upgrade(https)}`,
  );
}

/** What no screen uses. A browser that does not know one of the names says so and goes on. */
const SWITCHED_OFF =
  'accelerometer browsing-topics display-capture encrypted-media geolocation gyroscope hid idle-detection local-fonts ' +
  'magnetometer microphone midi publickey-credentials-create publickey-credentials-get screen-wake-lock serial ' +
  'storage-access sync-xhr usb window-management xr-spatial-tracking';

/** The `Permissions-Policy` of pages, which helmet leaves to us. */
export function permissions({ checkoutOrigins }: SecurityOptions): string {
  const payment = ['self', ...checkoutOrigins.map((origin) => `"${origin}"`)].join(' ');
  const off = SWITCHED_OFF.split(' ').map((name) => `${name}=()`);
  return ['camera=(self)', `payment=(${payment})`, ...off].join(', ');
}
