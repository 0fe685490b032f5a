/** Tries, at the internal ports themselves, the secrets of one process. */
import { internalRoutes, type InternalRoute } from '@karaar/contracts/internal';
import { bearer } from '../../check.ts';

/** Base URLs of the internal ports, by process. */
export type InternalPorts = Readonly<Record<string, string>>;

const routes: readonly InternalRoute[] = Object.values(internalRoutes);
const CAN_BE_SENT = /^[\x21-\x7e]+$/;

/** `vision /internal/check`. */
const nameOf = ({ callee, path }: InternalRoute): string => `${callee} ${path}`;

/** No route accepts this body, so an allowed request changes nothing. */
async function opens(
  ports: InternalPorts,
  route: InternalRoute,
  secret: string | undefined,
): Promise<boolean> {
  const { callee, method, path } = route;
  const port = ports[callee];
  if (port === undefined) throw new Error(`the internal port of ${callee} was not found`);
  const answer = await fetch(port + path, {
    method,
    headers: { 'content-type': 'application/json', ...bearer(secret) },
    ...(method === 'GET' ? {} : { body: 'null' }),
  });
  await answer.arrayBuffer();
  return answer.status !== 401 && answer.status !== 403;
}

/**
 * Returns the routes that one of these secrets opens.
 *
 * @param secrets `undefined` is a request without a secret
 * @param own the process whose own routes are left out
 */
export async function openedBy(
  secrets: readonly (string | undefined)[],
  ports: InternalPorts,
  own?: string,
): Promise<string[]> {
  const sent = secrets.filter((secret) => secret === undefined || CAN_BE_SENT.test(secret));
  const opened: string[] = [];
  for (const route of routes.filter(({ callee }) => callee !== own)) {
    const results = await Promise.all(sent.map((secret) => opens(ports, route, secret)));
    if (results.includes(true)) opened.push(nameOf(route));
  }
  return opened;
}

/** Returns the opened routes that no contract allows this process to call. */
export const wronglyCalled = (name: string, opened: readonly string[]): string[] =>
  opened.filter(
    (called) =>
      !routes.some((route) => nameOf(route) === called && route.callers.some((one) => one === name)),
  );
