import type { RouteContract } from '@karaar/contracts/kit';
import { trafficClassOf } from '@karaar/contracts/traffic-class';
import { SERVICE_NAMES, type ServiceName, type ServiceRoute } from '@karaar/contracts/services';
import { urgencyOf } from '@karaar/contracts/urgency';
import { totalOf } from '@karaar/http';
import { Baseline } from '../shedding/index.ts';
import type { GatewayConfig } from '../config.ts';

/** Allowance for multipart framing and text fields. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

export type Route = ReturnType<typeof routeOf> & {
  rewrite?: (path: string) => string;
};

/** Routes without a contract: they need no session, and a slow reader holds their connection. */
export const UNDESCRIBED = {
  access: 'public',
  maxBytes: 0,
  sensitive: false,
  heavy: false,
  trafficClass: 'long',
  urgency: 'patient',
  baseline: undefined,
} as const satisfies Partial<Route>;

export type Entry = { method: RouteContract['method']; path: string; service: ServiceName; route: Route };

type Bounds = Pick<GatewayConfig, 'DEADLINE_MS' | 'JSON_MAX_BYTES' | 'UPLOAD_MAX_BYTES'>;

/** Returns the routing table of the contracts. The gateway does not serve any other path of a service. */
export function routeTable(routes: readonly ServiceRoute[], bounds: Bounds): Entry[] {
  const described = routes.map(({ service, contract }): Entry => {
    const { method, path } = contract;
    return { method, path, service, route: routeOf(contract, bounds) };
  });
  const read = (service: ServiceName, path: string, route: Partial<Route>): Entry => {
    const common = { ...UNDESCRIBED, key: `GET ${path}`, deadlineMs: bounds.DEADLINE_MS };
    return { method: 'GET', path, service, route: { ...common, ...route } };
  };
  // Signed blob paths: each service's `/files/…`, under its name. The signature gives access.
  const files = SERVICE_NAMES.map((service) => {
    const prefix = `/files/${service}/`;
    const rewrite = (path: string): string => `/files/${path.slice(prefix.length)}`;
    return read(service, `${prefix}*`, { urgency: 'usual', rewrite });
  });
  return [...described, ...files, read('documents', '/log/*', {})];
}

function routeOf(contract: RouteContract, bounds: Bounds) {
  const { method, path, access, timeoutMs: deadlineMs = bounds.DEADLINE_MS } = contract;
  return {
    /** `METHOD /path`, for logs and limits. */
    key: `${method} ${path}`,
    access,
    deadlineMs,
    maxBytes: maxBytes(contract, bounds),
    /**
     * True if an attacker could gain by guessing or flooding: a separate, lower limit applies (`limits/`).
     */
    sensitive: isSensitive(contract),
    /** True if one call is expensive for a service: an additional, even lower limit applies. */
    heavy: contract.heavy === true,
    /** Decide which requests are refused first under load (`shedding/`). */
    trafficClass: trafficClassOf(contract, bounds.DEADLINE_MS),
    urgency: urgencyOf(contract),
    /**
     * The route's shortest time without a queue; undefined for routes whose time says nothing about a queue.
     */
    baseline: new Baseline() as Baseline | undefined,
  };
}

/**
 * Returns true for calls without a session that change something (sign-in, registration, verifying), and for
 * calls with a code that can be guessed. Webhooks are excluded: they are signed, and all calls of a provider
 * come from few addresses.
 */
function isSensitive({ access, method, path, takesCode }: RouteContract): boolean {
  return takesCode === true || (access === 'public' && method !== 'GET' && !path.endsWith('-webhook'));
}

function maxBytes({ method, multipart }: RouteContract, bounds: Bounds): number {
  if (method === 'GET') return 0;
  if (multipart === undefined) return bounds.JSON_MAX_BYTES;
  return Math.min(totalOf(multipart.files) + FORM_OVERHEAD_BYTES, bounds.UPLOAD_MAX_BYTES);
}
