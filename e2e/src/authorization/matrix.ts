/**
 * The authorization matrix: every route of the contracts with every kind of caller, through the gateway and directly at
 * the service. It is generated from the contracts: a new route fails until it has a cross-user case (design §4).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN_ROLES, type RouteContract } from '@karaar/contracts/kit';
import { allRoutes, type ServiceRoute } from '@karaar/contracts/services';
import pMap from 'p-map';
import { inDatabase } from '../database.ts';
import { fetchPatiently } from '../patience.ts';
import { callerOf, newPerson, toForm } from '../person.ts';
import { openIdentities, type Claims, type Identities, type Inside } from './identities.ts';
import { setStage, type Stage } from './stage.ts';
import { crossUserCases, type Attempt } from './cross-user-cases.ts';

type Parts = {
  product: Pick<Inside, 'url' | 'services'>;
  who: Identities;
  stage: Stage;
  user: Claims;
  admin: Claims;
  /** Returns the token of a user whom each service knew, and who was deactivated a second ago. */
  deactivated: () => Promise<string>;
};
type Seen = { status: number; code: unknown; text: string };
type Call = Omit<Attempt, 'expect' | 'check'> & { token?: string | undefined; direct?: boolean };
type Faults = Promise<string[]>;

const routes = allRoutes();
/** The routes that require a sign-in. */
export const closed = routes.filter(({ contract }) => contract.access !== 'public');
const forUsers = closed.filter(({ contract }) => contract.access === 'user');
const forAdmins = closed.filter(({ contract }) => contract.access === 'admin');
const keyOf = ({ service, name }: ServiceRoute) => `${service}.${name}`;
const titleOf = (route: ServiceRoute) => `${keyOf(route)} ${route.contract.method} ${route.contract.path}`;

const route = (key: string): ServiceRoute => {
  const found = routes.find((one) => keyOf(one) === key);
  if (!found) throw new Error(`the contracts do not have the route ${key}`);
  return found;
};

/** Returns true if a refusal has a text as its detail. */
const saysWhy = (text: string): boolean => {
  const { detail } = JSON.parse(text) as { detail?: unknown };
  return typeof detail === 'string' && /\p{L}/u.test(detail);
};

async function faults<T>(all: readonly T[], check: (one: T) => Promise<string | undefined>): Faults {
  const found = await pMap(all, check, { concurrency: 8 });
  return found.filter((fault) => fault !== undefined).sort();
}

/** Each rule returns its violations. `direct` calls the services past the gateway. */
export class Matrix {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  stop(): Promise<void> {
    return this.#parts.who.stop();
  }

  /** Anonymous, forged, expired, revoked, foreign issuer, alg:none, no session: 401. */
  async nobodies(direct: boolean): Faults {
    const { who, user, admin } = this.#parts;
    const nobodies = { user: await who.nobodies(user), admin: await who.nobodies(admin) };
    const cases = closed.flatMap((one) =>
      Object.entries(nobodies[one.contract.access as 'user' | 'admin']).map(([name, token]) => ({
        one,
        name,
        token,
      })),
    );
    return faults(cases, async ({ one, name, token }) => {
      const { status, text } = await this.#call(one, { token, direct });
      if (status === 401 && saysWhy(text)) return undefined;
      return `${titleOf(one)}: ${name} got ${status} ${text.slice(0, 120)}`;
    });
  }

  /** A deactivated user with a formerly valid token: 401. */
  async deactivated(direct: boolean): Faults {
    const token = await this.#parts.deactivated();
    return faults(forUsers, async (one) => {
      const { status } = await this.#call(one, { token, direct });
      return status === 401 ? undefined : `${titleOf(one)}: got ${status}`;
    });
  }

  /** A user on admin routes, and an admin on user routes: refused, but not signed out. */
  async wrongAudience(direct: boolean): Faults {
    const { who, user, admin } = this.#parts;
    const tokens = { user: await who.token(user), admin: await who.token(admin) };
    return faults(closed, async (one) => {
      const token = one.contract.access === 'user' ? tokens.admin : tokens.user;
      const { status, code, text } = await this.#call(one, { token, direct });
      if (status === 403 && code === 'wrong_audience' && saysWhy(text)) return undefined;
      return `${titleOf(one)}: got ${status} ${text.slice(0, 120)}`;
    });
  }

  rightAudience(direct: boolean): Faults {
    const { who, user, admin } = this.#parts;
    return faults(closed, async (one) => {
      // This route would end the sessions of the other calls.
      const caller = keyOf(one) === 'auth.endAllSessions' ? { ...user, userId: randomUUID() } : user;
      const token = await who.token(one.contract.access === 'user' ? caller : admin);
      const { status, code } = await this.#call(one, { token, direct });
      return status === 401 || code === 'wrong_audience' ? `${titleOf(one)}: got ${status}` : undefined;
    });
  }

  /** An admin is refused on each route whose contract does not name the role; an unknown role everywhere. */
  async roles(direct: boolean): Faults {
    const { who, admin } = this.#parts;
    const tokens = new Map<string, string>();
    for (const role of [...ADMIN_ROLES, 'nobody']) tokens.set(role, await who.token({ ...admin, role }));
    const cases = forAdmins.flatMap((one) => [...tokens].map(([role, token]) => ({ one, role, token })));
    return faults(cases, async ({ one, role, token }) => {
      const may = one.contract.roles?.some((allowed) => allowed === role) ?? false;
      // This route would end the session of the other calls.
      const own = keyOf(one) === 'auth.adminLogout' ? await who.token({ ...admin, role }) : token;
      const { status, code } = await this.#call(one, { token: own, direct });
      const refused = status === 403 && code === 'role_forbidden';
      return refused === !may ? undefined : `${titleOf(one)}: ${role} got ${status} ${String(code)}`;
    });
  }

  open(direct: boolean): Faults {
    const open = routes.filter(({ contract }) => contract.access === 'public');
    return faults(open, async (one) => {
      const { code } = await this.#call(one, { direct });
      return code === 'not_authenticated' || code === 'wrong_audience' ? titleOf(one) : undefined;
    });
  }

  /** Returns the routes that could name another user's object and have no cross-user case, and unknown names. */
  undeclared(): string[] {
    const takesInput = ({ params, query, body, multipart }: RouteContract) =>
      [params, query, body, multipart].some((part) => part !== undefined);
    const declared = crossUserCases(this.#parts.stage);
    const keys = forUsers.map(keyOf);
    const missing = forUsers.filter((one) => takesInput(one.contract) && declared[keyOf(one)] === undefined);
    const unknown = Object.keys(declared).filter((key) => !keys.includes(key));
    // A path parameter always names an object, so a reason is not enough; CMS pages are the exception.
    const reasons = forUsers.filter(
      (one) =>
        one.contract.params && typeof declared[keyOf(one)] === 'string' && keyOf(one) !== 'cms.getPage',
    );
    return [...missing.map(keyOf), ...unknown, ...reasons.map(keyOf)];
  }

  /** Another user's object is refused, reveals nothing private, and does not change. */
  async crossUserFaults(): Faults {
    const { stage, who, user } = this.#parts;
    const before = await stage.lookAround();
    const attempts = Object.entries(crossUserCases(stage)).flatMap(([key, attempt]) =>
      typeof attempt === 'string' ? [] : [{ one: route(key), attempt }],
    );
    const wrong = await faults(attempts, async ({ one, attempt }) => {
      const { expect: allowed = [403, 404], check, ...options } = attempt;
      const { status, text } = await this.#call(one, { ...options, token: await who.token(user) });
      if (!allowed.includes(status)) return `${titleOf(one)}: a stranger got ${status} ${text.slice(0, 120)}`;
      return check && !check(text) ? `${titleOf(one)}: a stranger saw too much` : undefined;
    });
    wrong.push(...(await this.#faultsBeforeRights(attempts)));
    if ((await stage.lookAround()) !== before) wrong.push('the owner does not see the same things any more');
    const { status } = await stage.owner.call('GET', '/auth/sessions');
    if (status !== 200) wrong.push(`the owner is signed out (${status})`);
    return wrong;
  }

  /** A route that refuses a stranger refuses also if the body is invalid, without naming its faults. */
  async #faultsBeforeRights(attempts: readonly { one: ServiceRoute; attempt: Attempt }[]): Faults {
    const { who, user } = this.#parts;
    const about = attempts.filter(
      ({ one, attempt: { params, expect = [403] } }) =>
        params && (one.contract.body || one.contract.multipart) && expect.includes(403),
    );
    return faults(about, async ({ one, attempt: { params = {} } }) => {
      const { status } = await this.#call(one, { params, body: [], token: await who.token(user) });
      return [403, 404].includes(status)
        ? undefined
        : `${titleOf(one)}: a stranger with an invalid body got ${status}`;
    });
  }

  async #call({ service, contract }: ServiceRoute, options: Call): Promise<Seen> {
    const { token, params = {}, query, body, form, direct } = options;
    const { product } = this.#parts;
    const path = contract.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? 'x1');
    const base = direct ? product.services[service] : `${product.url}/api`;
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const response = await fetchPatiently(`${base}${path}${search}`, {
      method: contract.method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: toForm(form) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as unknown) : {};
    const code = typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined;
    return { status: response.status, code, text };
  }
}

export async function openMatrix(product: Inside): Promise<Matrix> {
  const { url, postgresUrl } = product;
  const who = await openIdentities(product);
  const stage = await setStage(product);
  const { userId, charId } = stage.stranger;
  const [row] = await inDatabase<{ id: string }>(
    postgresUrl,
    'auth',
    "SELECT id FROM admins WHERE username = 'admin'",
  );
  const user: Claims = { userId, charId, audience: 'user' };
  const admin: Claims = { userId: String(row?.id), role: 'super-admin', audience: 'admin' };
  const deactivated = async () => {
    const gone = await newPerson(url, 'Gone Das');
    for (const path of OWN_THINGS) await gone.call('GET', path);
    const { method, path } = route('auth.deactivateUser').contract;
    const asAdmin = callerOf(url, await who.token(admin));
    await asAdmin.call(method, path.replace(':id', gone.userId), { reason: 'matrix' }, [200]);
    // Services may cache the state of a session for a second.
    await sleep(1_000);
    return gone.token;
  };
  return new Matrix({ product, who, stage, user, admin, deactivated });
}

/** One route of each service, so that each has cached the user's session. */
const OWN_THINGS = [
  '/users/profile',
  '/documents/my-documents',
  '/payments/my-payments',
  '/wallet/balance',
  '/messaging/unread-count',
  '/notifications/unread-count',
  '/cms/pages',
];
