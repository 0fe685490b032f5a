/** Every route of the contracts is called with values made from its own schema: it never fails inside, hangs or tells of its inside. */
import type { RouteContract } from '@karaar/contracts/kit';
import { allRoutes } from '@karaar/contracts/services';
import fc from 'fast-check';
import { gather } from '../../src/gather.ts';
import { bearer, type ProductCheck, type Finding, type Target } from '../check.ts';
import { mixed, NASTY_TEXTS } from './inputs.ts';

export type FuzzOptions = {
  runs: number;
  seed: number;
  /** Milliseconds beyond a route's own deadline after which it counts as hung. */
  marginMs?: number;
};
export type NamedRoute = { name: string; contract: RouteContract };

const MARGIN_MS = 5_000;
const DEFAULT_MS = 15_000;
/** Calls that end the session or the account of whoever makes them. */
const ENDS: readonly string[] = [
  'logout',
  'adminLogout',
  'endAllSessions',
  'endSession',
  'deleteAccount',
  'changePhone',
];
const INSIDE = [
  // A stack, also where JSON has written its line ends as \n.
  /(\n|\\n)\s+at .+[(:]\d+/,
  /node_modules/,
  /\b[\w-]+\.ts:\d+/,
  /relation "|syntax error at or near|violates .* constraint|duplicate key value/i,
  /ECONNREFUSED|ENOENT|EACCES|nats:\/\/|postgres(ql)?:\/\/|redis:\/\//,
  /\b(127\.0\.0\.1|localhost):\d+/,
];

/** The pattern of a text that tells of the inside, if one does. */
export const insideOf = (text: string): string | undefined =>
  INSIDE.find((pattern) => pattern.test(text))?.source;

type Input = { params: Record<string, string>; query: unknown; body: unknown; form: FormData | undefined };

/** What is wrong with an answer, if anything. */
export function faultOf(status: number, type: string, text: string): string | undefined {
  if (status >= 500) return `answered ${status}`;
  const inside = insideOf(text);
  if (status >= 400 && inside !== undefined) return `its ${status} tells of its inside (${inside})`;
  if (status < 400) return undefined;
  if (!type.includes('json')) return `its ${status} is ${type || 'of no type'}`;
  const body = JSON.parse(text) as { detail?: unknown; code?: unknown };
  const told = typeof body.detail === 'string' ? body.detail !== '' : Array.isArray(body.detail);
  return told && typeof body.code === 'string' ? undefined : `its ${status} has no detail or code`;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const file = fc
  .tuple(
    fc.constantFrom('image/png', 'application/pdf', 'text/plain', 'application/octet-stream', ''),
    fc.constantFrom('x.pdf', '../../x.png', 'a\u0000b.docx', '.', 'क.jpg', `${'n'.repeat(300)}.pdf`),
    fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .constantFrom('%PDF-1.7\n', '\x89PNG\r\n\x1a\n', 'PK\x03\x04', '\xff\xd8\xff', 'GIF89a')
        .map((head) => Uint8Array.from(`${head}\n`, (char) => char.charCodeAt(0))),
    ),
  )
  .map(([type, name, bytes]) => new File([new Uint8Array(bytes)], name, { type }));

function forms(multipart: NonNullable<RouteContract['multipart']>): fc.Arbitrary<FormData> {
  return fc
    .tuple(
      mixed(multipart.fields),
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(multipart.files), 'unknown'), file), { maxLength: 4 }),
    )
    .map(([fields, files]) => {
      const form = new FormData();
      if (typeof fields === 'object' && fields !== null)
        for (const [name, value] of Object.entries(fields)) form.append(name, asText(value));
      for (const [name, each] of files) form.append(name, each);
      return form;
    });
}

function inputs(contract: RouteContract): fc.Arbitrary<Input> {
  const names = [...contract.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
  const param = fc.oneof(
    fc.uuid(),
    fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
    fc.constantFrom(...NASTY_TEXTS),
  );
  return fc.record({
    params: fc.record(Object.fromEntries(names.map((name) => [name, param]))),
    query: contract.query ? mixed(contract.query) : fc.constant(undefined),
    body: contract.body ? mixed(contract.body) : fc.constant(undefined),
    form: contract.multipart ? forms(contract.multipart) : fc.constant(undefined),
  });
}

const MAX_URL = 8_000;

/** The path as a client would write it; undefined where it would be another route's. */
function addressOf(contract: RouteContract, { params, query }: Input): string | undefined {
  let path: string;
  try {
    path = contract.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  } catch {
    // A lone surrogate: no client can write it into an address.
    return undefined;
  }
  if (path.split('/').some((part, index) => index > 0 && (part === '' || /^(\.|%2e){1,2}$/i.test(part))))
    return undefined;
  const search = new URLSearchParams();
  if (typeof query === 'object' && query !== null)
    for (const [name, value] of Object.entries(query)) search.append(name, asText(value) ?? '');
  const address = `/api${path}${search.size > 0 ? `?${search}` : ''}`;
  return address.length > MAX_URL ? undefined : address;
}

async function callOnce(
  target: Target,
  { name, contract }: NamedRoute,
  input: Input,
  marginMs: number,
): Promise<string | undefined> {
  const address = addressOf(contract, input);
  if (address === undefined) return undefined;
  const token = await target.token(contract.access, ENDS.includes(name.split('.').at(-1) ?? ''));
  const json = input.body === undefined ? undefined : JSON.stringify(input.body);
  const body = input.form ?? json;
  const limit = (contract.timeoutMs ?? DEFAULT_MS) + marginMs;
  try {
    const response = await fetch(target.url + address, {
      method: contract.method,
      headers: { ...bearer(token), ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(limit),
      redirect: 'manual',
      ...(body === undefined || contract.method === 'GET' ? {} : { body }),
    });
    return faultOf(response.status, response.headers.get('content-type') ?? '', await response.text());
  } catch (error) {
    // By name: in Jest it is of another realm.
    const { name: kind, message } = error as Error;
    return kind === 'TimeoutError' ? `hung for ${limit} ms` : `broke the connection (${message})`;
  }
}

/** Each fault once a route. */
export async function fuzz(
  target: Target,
  routes: readonly NamedRoute[],
  options: FuzzOptions,
): Promise<Finding[]> {
  return gather(routes, async (route) => {
    const faults = new Set<string>();
    for (const input of fc.sample(inputs(route.contract), { numRuns: options.runs, seed: options.seed })) {
      const fault = await callOnce(target, route, input, options.marginMs ?? MARGIN_MS);
      if (fault !== undefined) faults.add(fault);
    }
    const { method, path } = route.contract;
    return [...faults].map((what) => ({
      where: `${route.name} ${method} ${path} (seed ${options.seed})`,
      what,
    }));
  });
}

export const everyRoute = (): NamedRoute[] =>
  allRoutes().map(({ service, name, contract }) => ({ name: `${service}.${name}`, contract }));

export const fuzzing = (options: FuzzOptions): ProductCheck => ({
  name: 'fuzz',
  needsPages: true,
  holds: `no route fails inside, hangs or tells of its inside (${options.runs} calls each)`,
  run: (target) => fuzz(target, everyRoute(), options),
});
