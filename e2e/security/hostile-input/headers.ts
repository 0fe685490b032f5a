/** What every answer carries, by kind of answer (ADR 0023, OWASP ASVS 5 §3.4). */
import { gather } from '../../src/gather.ts';
import { bearer, type ProductCheck, type Finding, type Target } from '../check.ts';

type Rule = readonly [header: string, pattern: RegExp];
type Place = { path: string; rules: readonly Rule[]; as?: 'user' };

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
const PLACES: readonly Place[] = [
  ...['/', '/login', '/dashboard', '/verify', '/admin/login', '/no/such/page'].map((path) => ({
    path,
    rules: PAGE,
  })),
  ...['/api/health', '/api/no-such-route', '/api/users/profile', '/api/documents/x'].map((path) => ({
    path,
    rules: API,
  })),
  { path: '/api/users/profile', rules: API, as: 'user' as const },
  { path: '/sw.js', rules: ALWAYS },
];
/** What tells an attacker what runs here. */
const TELLING = ['server', 'x-powered-by', 'x-aspnet-version', 'via'];

async function look(target: Target, { path, rules, as }: Place): Promise<Finding[]> {
  const token = as ? await target.token(as) : undefined;
  const { headers } = await fetch(target.url + path, { headers: bearer(token), redirect: 'manual' });
  const where = `${path}${as ? ` as ${as}` : ''}`;
  return [
    ...rules
      .filter(([name, pattern]) => !pattern.test(headers.get(name) ?? ''))
      .map(([name, pattern]) => ({
        where,
        what: `${name} is '${headers.get(name) ?? ''}', not ${pattern.source}`,
      })),
    ...TELLING.filter((name) => headers.has(name)).map((name) => ({ where, what: `tells ${name}` })),
    ...(headers.get('access-control-allow-origin') === '*'
      ? [{ where, what: 'may be read from any origin' }]
      : []),
  ];
}

export const headerRules: ProductCheck = {
  name: 'headers',
  needsPages: true,
  holds: 'pages, API and errors carry their security headers and tell nothing of the servers',
  run: (target) => gather(PLACES, (place) => look(target, place)),
};
