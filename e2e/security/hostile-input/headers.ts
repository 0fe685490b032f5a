/** The security headers of each kind of answer (ADR 0023, OWASP ASVS 5 §3.4). */
import pMap from 'p-map';
import { bearer, type ProductCheck, type Finding, type Target } from '../check.ts';

type Rule = readonly [header: string, pattern: RegExp];

const ALWAYS: readonly Rule[] = [
  ['x-content-type-options', /^nosniff$/],
  ['referrer-policy', /^(strict-origin-when-cross-origin|no-referrer|same-origin)$/],
  ['cross-origin-resource-policy', /^same-origin$/],
  ['content-security-policy', /frame-ancestors 'none'/],
  ['content-security-policy', /base-uri 'none'/],
  ['content-security-policy', /object-src 'none'|default-src 'none'/],
];
const PAGE: readonly Rule[] = [
  ...ALWAYS,
  ['content-security-policy', /require-trusted-types-for 'script'/],
  ['content-security-policy', /^(?!.*'unsafe-inline').*$/],
  ['content-security-policy', /^(?!.*'unsafe-eval').*$/],
  ['permissions-policy', /camera=\(self\)/],
  ['cross-origin-opener-policy', /same-origin/],
];
const API: readonly Rule[] = [
  ...ALWAYS,
  ['content-security-policy', /default-src 'none'/],
  ['cache-control', /no-store|no-cache/],
];
const PAGES = ['/', '/login', '/dashboard', '/verify', '/admin/login', '/no/such/page'];
const APIS = ['/api/health', '/api/no-such-route', '/api/users/profile', '/api/documents/x'];
const PLACES: readonly (readonly [path: string, rules: readonly Rule[], as: 'public' | 'user'])[] = [
  ...PAGES.map((path) => [path, PAGE, 'public'] as const),
  ...APIS.map((path) => [path, API, 'public'] as const),
  ['/api/users/profile', API, 'user'],
  ['/sw.js', ALWAYS, 'public'],
];
/** They name the server's software. */
const TELLING = ['server', 'x-powered-by', 'x-aspnet-version', 'via'];

async function look(target: Target, [path, rules, as]: (typeof PLACES)[number]): Promise<Finding[]> {
  const sent = bearer(await target.token(as));
  const { headers } = await fetch(target.url + path, { headers: sent, redirect: 'manual' });
  const valueOf = (name: string) => headers.get(name) ?? '';
  const whats = [
    ...rules
      .filter(([name, pattern]) => !pattern.test(valueOf(name)))
      .map(([name, pattern]) => `${name} is '${valueOf(name)}', not ${pattern.source}`),
    ...TELLING.filter((name) => headers.has(name)).map((name) => `has the header ${name}`),
    ...(valueOf('access-control-allow-origin') === '*' ? ['may be read from any origin'] : []),
  ];
  return whats.map((what) => ({ where: `${path} as ${as}`, what }));
}

export const headerRules: ProductCheck = {
  name: 'headers',
  needsPages: true,
  holds: 'pages, API and errors have their security headers and do not name the server software',
  run: async (target) => (await pMap(PLACES, (place) => look(target, place), { concurrency: 4 })).flat(),
};
