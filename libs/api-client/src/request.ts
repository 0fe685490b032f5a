import { STEP_UP_HEADER } from '@karaar/contracts/step-up-statement';
import type { CallOptions, RouteLike } from './types.ts';

/** A request as data, before it is sent. */
export type WireRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | FormData;
};

type Scalar = string | number | boolean;
type LooseInput = {
  params?: Record<string, Scalar>;
  query?: Record<string, Scalar | undefined>;
  body?: unknown;
  fields?: Record<string, Scalar | undefined>;
  files?: Record<string, File | readonly File[] | undefined>;
};

/** Every request of the browser goes to this base (spec §7); the gateway strips it. */
export const API_BASE = '/api';

/**
 * Fills `:name` parameters, escaped, so that a value can never change the structure of the path.
 * @throws Error for a missing value
 */
export function fillPath(path: string, params: Record<string, Scalar> = {}): string {
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new Error(`No value for :${name} in ${path}`);
    return encodeURIComponent(String(value));
  });
}

function queryString(query: LooseInput['query']): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)]))}`;
}

function formData(input: LooseInput): FormData {
  const form = new FormData();
  // Fields come first: the server reads the stream in order and can refuse before it stores a file.
  for (const [name, value] of Object.entries(input.fields ?? {})) {
    if (value !== undefined) form.append(name, String(value));
  }
  for (const [name, value] of Object.entries(input.files ?? {})) {
    for (const file of value === undefined ? [] : [value].flat()) form.append(name, file, file.name);
  }
  return form;
}

/**
 * Returns the request for a route call: path, query, JSON or multipart body, bearer token, idempotency key.
 */
export function buildRequest(
  route: Pick<RouteLike, 'method' | 'path' | 'multipart'>,
  input: LooseInput,
  token: string | null,
  options: Pick<CallOptions, 'idempotencyKey' | 'ifMatch' | 'stepUpGrant'> = {},
): WireRequest {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey;
  if (options.ifMatch) headers['if-match'] = options.ifMatch;
  if (options.stepUpGrant) headers[STEP_UP_HEADER] = options.stepUpGrant;
  const url = `${API_BASE}${fillPath(route.path, input.params)}${queryString(input.query)}`;
  if (route.multipart) return { method: route.method, url, headers, body: formData(input) };
  if (input.body === undefined) return { method: route.method, url, headers };
  headers['content-type'] = 'application/json';
  return { method: route.method, url, headers, body: JSON.stringify(input.body) };
}
