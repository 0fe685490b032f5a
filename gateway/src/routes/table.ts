import type { Access, RouteContract } from '@karaar/contracts/kit';
import { laneOf, type Lane } from '@karaar/contracts/lane';
import { SERVICE_NAMES, type ServiceName, type ServiceRoute } from '@karaar/contracts/services';
import { urgencyOf, type Urgency } from '@karaar/contracts/urgency';
import { Baseline } from '@karaar/platform/shedding';
import createRouter from 'find-my-way';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Multipart framing and text fields beside the files. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

export type Route = {
  /** `METHOD /path`, for logs and limits. */
  key: string;
  service: ServiceName;
  access: Access;
  deadlineMs: number;
  /** Bytes of the request body at most. */
  maxBytes: number;
  /** Guessing or filling pays here: counted apart and lower (`limits/`). */
  sensitive: boolean;
  /** One call costs a service much: counted once more, and lower still. */
  heavy: boolean;
  /** How it counts when there is not room for all (`shedding/`). */
  lane: Lane;
  urgency: Urgency;
  /** What it takes alone; undefined where that says nothing. */
  baseline: Baseline | undefined;
  /** Turns the path below `/api` into the service's own path. */
  rewrite?: (path: string) => string;
};

/** A route and where requests of it come in, below `/api`. */
export type Entry = { methods: Method[]; path: string; route: Route };

export type RouteTableOptions = { defaultDeadlineMs: number; jsonMaxBytes: number; uploadMaxBytes: number };

/** How paths are read, here and in the app: by the same library as in the services, so that all read an odd path alike. */
export const PATH_RULES = { maxParamLength: 256, ignoreTrailingSlash: true } as const;

/** The routing table, built from the contracts. A path that is in no contract does not exist outside. */
export class RouteTable {
  readonly entries: Entry[] = [];
  readonly #router = createRouter(PATH_RULES);

  constructor(routes: readonly ServiceRoute[], options: RouteTableOptions) {
    for (const { service, contract } of routes) {
      this.#add(contract.method, contract.path, {
        key: `${contract.method} ${contract.path}`,
        service,
        access: contract.access,
        deadlineMs: contract.timeoutMs ?? options.defaultDeadlineMs,
        maxBytes: maxBytes(contract, options),
        sensitive: isSensitive(contract),
        heavy: contract.heavy === true,
        lane: laneOf(contract, options.defaultDeadlineMs),
        urgency: urgencyOf(contract),
        baseline: new Baseline(),
      });
    }
    for (const service of SERVICE_NAMES) this.#addFiles(service, options);
    this.#add('GET', '/log/*', { ...openRead('GET /log/*', 'documents', options), urgency: 'patient' });
  }

  /** The longest that a request may take to be answered, in milliseconds. */
  get longestDeadlineMs(): number {
    return Math.max(...this.entries.map(({ route }) => route.deadlineMs));
  }

  find(method: Method, path: string): Route | null {
    return (this.#router.find(method, path)?.store as Route | undefined) ?? null;
  }

  /** The methods that a path knows; none when the path is unknown. */
  methodsOf(path: string): Method[] {
    return METHODS.filter((method) => this.find(method, path) !== null);
  }

  /** Signed blob paths: `/api/files/<service>/…` is `/files/…` of that service; the signature is the key. */
  #addFiles(service: ServiceName, options: RouteTableOptions): void {
    const prefix = `/files/${service}/`;
    this.#add('GET', `${prefix}*`, {
      ...openRead(`GET ${prefix}*`, service, options),
      rewrite: (path) => `/files/${path.slice(prefix.length)}`,
    });
  }

  #add(method: RouteContract['method'], path: string, route: Route): void {
    const methods: Method[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
    this.#router.on(methods, path, () => undefined, route);
    this.entries.push({ methods, path, route });
  }
}

function openRead(key: string, service: ServiceName, options: RouteTableOptions): Route {
  return {
    key,
    service,
    access: 'public',
    deadlineMs: options.defaultDeadlineMs,
    maxBytes: 0,
    sensitive: false,
    heavy: false,
    // Files: a reader on a slow line holds the connection.
    lane: 'long',
    urgency: 'usual',
    baseline: new Baseline(),
  };
}

const TAKES_A_CODE: readonly string[] = ['/documents/join', '/documents/join/look-up', '/verify/:code'];

/**
 * Calls without a session that change something (sign-in, registration, verifying), and those that take a
 * code which can be guessed. A provider's webhook has its signature, and all its calls come from few addresses.
 */
function isSensitive({ access, method, path }: RouteContract): boolean {
  if (TAKES_A_CODE.includes(path)) return true;
  return access === 'public' && method !== 'GET' && !path.endsWith('-webhook');
}

function maxBytes(contract: RouteContract, { jsonMaxBytes, uploadMaxBytes }: RouteTableOptions): number {
  if (contract.method === 'GET') return 0;
  if (contract.multipart === undefined) return jsonMaxBytes;
  const files = Object.values(contract.multipart.files).reduce(
    (sum, file) => sum + file.maxBytes * (file.maxCount ?? 1),
    FORM_OVERHEAD_BYTES,
  );
  return Math.min(files, uploadMaxBytes);
}
