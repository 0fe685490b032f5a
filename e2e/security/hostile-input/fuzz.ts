/** Calls every route of the contracts with values for its schema, and finds errors, hangs and internal details. */
import type { RouteContract } from '@karaar/contracts/kit';
import { allRoutes } from '@karaar/contracts/services';
import fc from 'fast-check';
import pMap from 'p-map';
import { bearer, type ProductCheck, type Finding, type Target } from '../check.ts';
import { mixed, NASTY_TEXTS } from './inputs.ts';

export type NamedRoute = { name: string; contract: RouteContract };

const CALLS = 30;
/** Added to a route's own deadline. */
const MARGIN_MS = 5_000;
const DEFAULT_MS = 15_000;
const MAX_URL = 8_000;
/** Calls that end the caller's session or account. */
const ENDS = /\.(logout|adminLogout|endAllSessions|endSession|deleteAccount|changePhone)$/;
const INTERNALS = [
  // A stack; in JSON its line ends are written as \n.
  /(\n|\\n)\s+at .+[(:]\d+/,
  /node_modules/,
  /\b[\w-]+\.ts:\d+/,
  /relation "|syntax error at or near|violates .* constraint|duplicate key value/i,
  /ECONNREFUSED|ENOENT|EACCES|nats:\/\/|postgres(ql)?:\/\/|redis:\/\//,
  /\b(127\.0\.0\.1|localhost):\d+/,
];

/** Returns the pattern of the internal details in a text, if any. */
export const internalsIn = (text: string): string | undefined =>
  INTERNALS.find((pattern) => pattern.test(text))?.source;

type Input = { params: Record<string, string>; query: unknown; body: unknown; form: FormData | undefined };

/** Returns the fault of an answer, if any. */
export function faultOf(status: number, type: string, text: string): string | undefined {
  if (status >= 500) return `answered ${status}`;
  if (status < 400) return undefined;
  const internals = internalsIn(text);
  if (internals !== undefined) return `its ${status} has internal details (${internals})`;
  if (!type.includes('json')) return `its ${status} is ${type || 'of no type'}`;
  const { detail, code } = JSON.parse(text) as { detail?: unknown; code?: unknown };
  const hasReason = (typeof detail === 'string' && detail !== '') || Array.isArray(detail);
  return hasReason && typeof code === 'string' ? undefined : `its ${status} has no detail or code`;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const fieldsOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const file = fc
  .tuple(
    fc.constantFrom('image/png', 'application/pdf', 'text/plain', 'application/octet-stream', ''),
    fc.constantFrom('x.pdf', '../../x.png', 'a\u0000b.docx', '.', 'क.jpg', `${'n'.repeat(300)}.pdf`),
    fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .constantFrom('%PDF-1.7\n', '\x89PNG\r\n\x1a\n', 'PK\x03\x04', '\xff\xd8\xff', 'GIF89a')
        .map((head) => Buffer.from(`${head}\n`, 'latin1')),
    ),
  )
  .map(([type, name, bytes]) => new File([new Uint8Array(bytes)], name, { type }));

function forms(multipart: NonNullable<RouteContract['multipart']>): fc.Arbitrary<FormData> {
  const names = fc.constantFrom(...Object.keys(multipart.files), 'unknown');
  return fc
    .tuple(mixed(multipart.fields), fc.array(fc.tuple(names, file), { maxLength: 4 }))
    .map(([fields, files]) => {
      const form = new FormData();
      for (const [name, value] of fieldsOf(fields)) form.append(name, asText(value));
      for (const [name, each] of files) form.append(name, each);
      return form;
    });
}

function inputs(contract: RouteContract): fc.Arbitrary<Input> {
  const names = [...contract.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
  const charId = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  const param = fc.oneof(fc.uuid(), charId, fc.constantFrom(...NASTY_TEXTS));
  return fc.record({
    params: fc.record(Object.fromEntries(names.map((name) => [name, param]))),
    query: contract.query ? mixed(contract.query) : fc.constant(undefined),
    body: contract.body ? mixed(contract.body) : fc.constant(undefined),
    form: contract.multipart ? forms(contract.multipart) : fc.constant(undefined),
  });
}

/** Returns the path as a client writes it; undefined if it cannot, or if the path would be another route's. */
function addressOf(contract: RouteContract, { params, query }: Input): string | undefined {
  if (!Object.values(params).every((value) => value.isWellFormed())) return undefined;
  const path = contract.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  if (/\/(\.|%2e){0,2}(\/|$)/i.test(path)) return undefined;
  const search = new URLSearchParams();
  for (const [name, value] of fieldsOf(query)) search.append(name, asText(value) ?? '');
  const address = `/api${path}${search.size > 0 ? `?${search}` : ''}`;
  return address.length > MAX_URL ? undefined : address;
}

async function faultOfCall(
  target: Target,
  { name, contract }: NamedRoute,
  input: Input,
  marginMs: number,
): Promise<string | undefined> {
  const address = addressOf(contract, input);
  if (address === undefined) return undefined;
  const token = await target.token(contract.access, ENDS.test(name));
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
    const { name: kind, message } = error as Error;
    return kind === 'TimeoutError' ? `hung for ${limit} ms` : `broke the connection (${message})`;
  }
}

/** Returns each fault once per route. */
export async function fuzz(
  target: Target,
  routes: readonly NamedRoute[],
  { runs, seed, marginMs = MARGIN_MS }: { runs: number; seed: number; marginMs?: number },
): Promise<Finding[]> {
  const look = async (route: NamedRoute): Promise<Finding[]> => {
    const faults = new Set<string>();
    for (const input of fc.sample(inputs(route.contract), { numRuns: runs, seed })) {
      const fault = await faultOfCall(target, route, input, marginMs);
      if (fault !== undefined) faults.add(fault);
    }
    const { method, path } = route.contract;
    return [...faults].map((what) => ({ where: `${route.name} ${method} ${path} (seed ${seed})`, what }));
  };
  return (await pMap(routes, look, { concurrency: 4 })).flat();
}

export const fuzzing = (seed: number): ProductCheck => ({
  name: 'fuzz',
  needsPages: true,
  holds: `no route answers 500, hangs or sends internal details (${CALLS} calls each)`,
  run: (target) => {
    const routes = allRoutes().map(({ service, name, contract }) => ({
      name: `${service}.${name}`,
      contract,
    }));
    return fuzz(target, routes, { runs: CALLS, seed });
  },
});
