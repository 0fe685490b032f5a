/**
 * The authorization matrix: every route of the contracts × everybody who might call, through the gateway and past
 * it. It is generated: a new route is in it at once, and fails until it says what a stranger may try (design §4).
 */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { ADMIN_ROLES, type AdminRole, type RouteContract } from '@karaar/contracts/kit';
import { allRoutes, type ServiceRoute } from '@karaar/contracts/services';
import pg from 'pg';
import { openIdentities, type Claims, type Identities } from '../src/authorization/identities.ts';
import { setStage, type Stage } from '../src/authorization/stage.ts';
import { strangers, type Attempt } from '../src/authorization/strangers.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';

jest.setTimeout(120_000);

type Seen = { status: number; code: unknown; text: string };

let who: Identities;
let stage: Stage;
let user: Claims;
let admin: Claims;
let goneToken: string;

const routes = allRoutes();
const closed = routes.filter(({ contract }) => contract.access !== 'public');
const keyOf = ({ service, name }: ServiceRoute) => `${service}.${name}`;
const titleOf = (route: ServiceRoute) => `${keyOf(route)} ${route.contract.method} ${route.contract.path}`;

beforeAll(async () => {
  who = await openIdentities();
  stage = await setStage();
  const { stranger } = stage;
  user = { userId: stranger.userId, charId: stranger.charId, audience: 'user' };
  admin = { userId: await idOfAdmin(), role: 'super-admin', audience: 'admin' };
  const person = await newPerson(sharedProduct.url, 'Gone Das', `+91974${String(Date.now()).slice(-7)}`);
  goneToken = person.token;
  const ended = await call(route('auth.deactivateUser'), {
    token: await who.token(admin),
    params: { id: person.userId },
    body: { reason: 'matrix' },
  });
  expect(ended.status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}, 120_000);
afterAll(() => who.stop());

const route = (key: string): ServiceRoute => {
  const found = routes.find((one) => keyOf(one) === key);
  if (!found) throw new Error(`no route ${key}`);
  return found;
};

async function idOfAdmin(): Promise<string> {
  const url = new URL(sharedProduct.postgresUrl);
  url.pathname = '/karaar_auth';
  const db = new pg.Client({ connectionString: url.toString() });
  await db.connect();
  const { rows } = await db.query<{ id: string }>(`SELECT id FROM admins WHERE username = 'admin'`);
  await db.end();
  return String(rows[0]?.id);
}

/** One call, by way of the gateway, or of the service itself with `direct`. */
async function call(
  { service, contract }: ServiceRoute,
  options: Omit<Attempt, 'expect' | 'check'> & { token?: string | undefined; direct?: boolean } = {},
): Promise<Seen> {
  const { token, params = {}, query, body, form, direct } = options;
  const path = contract.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? 'x1');
  const base = direct ? sharedProduct.services[service] : `${sharedProduct.url}/api`;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const response = await fetch(`${base}${path}${search}`, {
    method: contract.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(form === undefined ? {} : { body: formOf(form) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as unknown) : {};
  return {
    status: response.status,
    code: typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined,
    text,
  };
}

function formOf(fields: NonNullable<Attempt['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value.bytes)], { type: value.type }), value.name);
  }
  return form;
}

/** What each of `all` got wrong, a few at a time: one list that says it all. */
async function faults<T>(
  all: readonly T[],
  check: (one: T) => Promise<string | undefined>,
): Promise<string[]> {
  const found: string[] = [];
  const left = [...all];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const fault = await check(one);
        if (fault) found.push(fault);
      }
    }),
  );
  return found.sort();
}

describe.each([
  { door: 'through the gateway', direct: false },
  { door: 'past the gateway, at the service', direct: true },
])('$door', ({ direct }) => {
  it('[AUTH-044] nobody gets in: anonymous, forged, expired, revoked, foreign issuer, alg:none, no session', async () => {
    const nobodies = { user: await who.nobodies(user), admin: await who.nobodies(admin) };
    const cases = closed.flatMap((one) =>
      Object.entries(nobodies[one.contract.access as 'user' | 'admin']).map(([name, token]) => ({
        one,
        name,
        token,
      })),
    );
    expect(cases.length).toBeGreaterThan(70 * 7);
    const wrong = await faults(cases, async ({ one, name, token }) => {
      const { status, text } = await call(one, { token, direct });
      if (status === 401 && typeof (JSON.parse(text) as { detail: unknown }).detail === 'string')
        return undefined;
      return `${titleOf(one)}: ${name} got ${status}`;
    });
    expect(wrong).toEqual([]);
  });

  it('[AUTH-065] a deactivated user gets in nowhere, with a token that was good', async () => {
    const own = closed.filter(({ contract }) => contract.access === 'user');
    const wrong = await faults(own, async (one) => {
      const { status } = await call(one, { token: goneToken, direct });
      return status === 401 ? undefined : `${titleOf(one)}: got ${status}`;
    });
    expect(wrong).toEqual([]);
  });

  it('[ADMIN-028] [ADMIN-029] [ADMIN-031] a user is refused on admin calls and an admin on user calls, without being logged out', async () => {
    const tokens = { user: await who.token(user), admin: await who.token(admin) };
    const wrong = await faults(closed, async (one) => {
      const token = one.contract.access === 'user' ? tokens.admin : tokens.user;
      const { status, code } = await call(one, { token, direct });
      return status === 403 && code === 'wrong_audience'
        ? undefined
        : `${titleOf(one)}: got ${status} ${String(code)}`;
    });
    expect(wrong).toEqual([]);
  });

  it('the right audience is let in', async () => {
    const wrong = await faults(closed, async (one) => {
      // Signing out everywhere would end what the other calls use.
      const caller = keyOf(one) === 'auth.endAllSessions' ? { ...user, userId: randomUUID() } : user;
      const token = await who.token(one.contract.access === 'user' ? caller : admin);
      const { status, code } = await call(one, { token, direct });
      return status === 401 || code === 'wrong_audience' ? `${titleOf(one)}: got ${status}` : undefined;
    });
    expect(wrong).toEqual([]);
  });

  it('an admin is let in by role alone: what the contract does not name is refused, and does nothing', async () => {
    const forAdmins = closed.filter(({ contract }) => contract.access === 'admin');
    const tokens = new Map<AdminRole | 'nobody', string>();
    // A role that there is not opens nothing, also not a super-admin's calls.
    for (const role of [...ADMIN_ROLES, 'nobody'] as const)
      tokens.set(role, await who.token({ ...admin, role }));
    const cases = forAdmins.flatMap((one) => [...tokens].map(([role, token]) => ({ one, role, token })));
    const wrong = await faults(cases, async ({ one, role, token }) => {
      const may = one.contract.roles?.some((allowed) => allowed === role) ?? false;
      // Signing out would end what the other calls use.
      const own = keyOf(one) === 'auth.adminLogout' ? await who.token({ ...admin, role }) : token;
      const { status, code } = await call(one, { token: own, direct });
      const refused = status === 403 && code === 'role_forbidden';
      return refused === !may ? undefined : `${titleOf(one)}: ${role} got ${status} ${String(code)}`;
    });
    expect(wrong).toEqual([]);
    expect(forAdmins.length).toBeGreaterThan(10);
  });

  it('what is public asks for no sign-in', async () => {
    const open = routes.filter(({ contract }) => contract.access === 'public');
    const wrong = await faults(open, async (one) => {
      const { code } = await call(one, { direct });
      return code === 'not_authenticated' || code === 'wrong_audience' ? titleOf(one) : undefined;
    });
    expect(wrong).toEqual([]);
  });
});

describe('another user’s object', () => {
  const takesInput = ({ params, query, body, multipart }: RouteContract) =>
    [params, query, body, multipart].some((part) => part !== undefined);

  it('is thought of for every route that could name one', () => {
    const declared = strangers(stage);
    const forUsers = closed.filter(({ contract }) => contract.access === 'user');
    const missing = forUsers
      .filter(({ contract }) => takesInput(contract))
      .map(keyOf)
      .filter((key) => declared[key] === undefined);
    expect(missing).toEqual([]);
    const unknown = Object.keys(declared).filter((key) => !forUsers.some((one) => keyOf(one) === key));
    expect(unknown).toEqual([]);
    // A route with a parameter in its path always names something; a reason is not enough there, but for CMS pages.
    const reasons = forUsers
      .filter((one) => one.contract.params && typeof declared[keyOf(one)] === 'string')
      .map(keyOf);
    expect(reasons).toEqual(['cms.getPage']);
  });

  it('is refused to a stranger, shows nothing private, and stays as it was', async () => {
    const declared = strangers(stage);
    const before = await stage.lookAround();
    const attempts = Object.entries(declared).flatMap(([key, attempt]) =>
      typeof attempt === 'string' ? [] : [{ one: route(key), attempt }],
    );
    const wrong = await faults(attempts, async ({ one, attempt }) => {
      const { expect: allowed = [403, 404], check, ...options } = attempt;
      const { status, text } = await call(one, { ...options, token: await who.token(user) });
      if (!allowed.includes(status)) return `${titleOf(one)}: a stranger got ${status} ${text.slice(0, 120)}`;
      return check && !check(text) ? `${titleOf(one)}: a stranger saw too much` : undefined;
    });
    expect(wrong).toEqual([]);
    expect(await stage.lookAround()).toBe(before);
    expect((await stage.owner.call('GET', '/auth/sessions')).status).toBe(200);
  });
});
