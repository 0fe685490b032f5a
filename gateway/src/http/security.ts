/** Security headers that restrict browsers [design §3 Sessions; ADR 0023], built once. */
import type { onRequestHookHandler } from 'fastify';
import type { GatewayConfig } from '../config.ts';

export type Public = Pick<GatewayConfig, 'PUBLIC_URL'>;
type Headers = Readonly<Record<string, string>>;

/** Returns a hook that sets these headers before the handler, which may replace them. */
export const setHeaders =
  (headers: Headers): onRequestHookHandler =>
  (_req, reply, done) => {
    reply.headers(headers);
    done();
  };

export const publicProtoOf = ({ PUBLIC_URL }: Public): 'https' | 'http' =>
  PUBLIC_URL.startsWith('https://') ? 'https' : 'http';

/** Returns the origins of remotes that another server delivers. */
export function remoteOrigins({ REMOTE_USER_URL, REMOTE_ADMIN_URL }: GatewayConfig): string[] {
  const urls = [REMOTE_USER_URL, REMOTE_ADMIN_URL].filter((url) => url !== undefined);
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))];
}

/**
 * Trusted Types policies: the address check of libs/api-client, and those that webpack creates for the chunks
 * of each build (libs/web-build/src/webpack.base.mjs).
 */
const TYPES = 'karaar karaar-shell karaar-user-mfe karaar-admin-mfe';

/** Browser features that no screen uses. A browser that does not know a name only logs a warning. */
const SWITCHED_OFF =
  'accelerometer browsing-topics display-capture encrypted-media geolocation gyroscope hid idle-detection local-fonts ' +
  'magnetometer microphone midi screen-wake-lock serial storage-access sync-xhr usb window-management xr-spatial-tracking';
/** Features that pages may use, but not frames in them: the camera and admins' passkeys. */
const OWN = 'camera=(self), publickey-credentials-create=(self), publickey-credentials-get=(self)';

/**
 * Returns the headers by kind of answer: data, a file, a page of the product, the page of the card provider's
 * checkout.
 */
export function securityHeaders(
  config: GatewayConfig,
): Readonly<Record<'api' | 'file' | 'page' | 'checkout', Headers>> {
  const isHttps = publicProtoOf(config) === 'https';
  const ours = ["'self'", ...remoteOrigins(config)].join(' ');
  // Only our own origin with the sandbox.
  const theirs = ["'self'", ...config.CHECKOUT_ORIGINS].join(' ');
  const payment = ['self', ...config.CHECKOUT_ORIGINS.map((origin) => `"${origin}"`)].join(' ');
  const off = SWITCHED_OFF.split(' ').map((name) => `${name}=()`);

  const ofAll = (policy: string): Headers => ({
    'content-security-policy': policy.replaceAll(/;\s+/g, ';'),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  });
  const ofPages = (policy: string): Headers => ({
    ...ofAll(isHttps ? `${policy}; upgrade-insecure-requests` : policy),
    // Not `same-origin`, because bank pages open in a window that must reach its opener.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': [OWN, `payment=(${payment})`, ...off].join(', '),
  });
  return {
    // If a browser is tricked into opening data as a page, no script runs.
    api: ofAll("default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    // For a worker with this script, and for a file that is opened as a page.
    file: ofAll("default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    // Scripts, styles and fonts come only from us and from configured remotes, without inline code or eval.
    // Trusted Types keep the page's code from turning text into scripts, workers or markup by accident.
    page: ofPages(
      `default-src 'self'; script-src ${ours}; style-src ${ours}; img-src ${ours} blob: data:; font-src ${ours};
      media-src 'self' blob:; connect-src ${ours}; worker-src 'self'; frame-src 'self' blob:; frame-ancestors 'none';
      form-action 'self'; base-uri 'none'; object-src 'none'; require-trusted-types-for 'script';
      trusted-types ${TYPES}`,
    ),
    // Framed only by the wallet. A separate document, because the provider's script uses inline styles and
    // writes markup as text.
    checkout: ofPages(
      `default-src 'none'; script-src ${theirs}; style-src ${theirs} 'unsafe-inline'; img-src ${theirs} data:;
      font-src ${theirs} data:; connect-src ${theirs}; frame-src ${theirs}; form-action ${theirs};
      frame-ancestors 'self'; base-uri 'none'`,
    ),
  };
}
