/**
 * What the secrets in the environment of one process open at the internal ports of the others: tried at the ports
 * themselves.
 */
import { internalRoutes, type InternalRoute } from '@karaar/contracts/internal';
import type { Environments } from './environment.ts';

/** Base URLs of the internal ports, by the name of the process. */
export type InternalPorts = Readonly<Record<string, string>>;

const routes: readonly InternalRoute[] = Object.values(internalRoutes);

/** `vision /internal/check`. */
const nameOf = ({ callee, path }: InternalRoute): string => `${callee} ${path}`;

/** Each service credential that a process has, at whichever port it is for. */
const secretsOf = (environment: NodeJS.ProcessEnv): string[] =>
  Object.entries(environment).flatMap(([name, value = '']) =>
    name.endsWith('_SECRETS') ? value.split(',') : [],
  );

/** Whether the port takes it; no service accepts the body. */
async function opens(
  ports: InternalPorts,
  { method, path, callee }: InternalRoute,
  secret?: string,
): Promise<boolean> {
  const port = ports[callee];
  if (port === undefined) throw new Error(`no internal port of ${callee}`);
  const answer = await fetch(port + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
    },
    ...(method === 'GET' ? {} : { body: 'null' }),
  });
  await answer.arrayBuffer();
  return answer.status !== 401 && answer.status !== 403;
}

/** Routes of others that a process may call by what is in its environment. */
export async function callableBy(name: string, all: Environments, ports: InternalPorts): Promise<string[]> {
  const secrets = secretsOf(all.get(name) ?? {});
  const able: string[] = [];
  for (const route of routes.filter(({ callee }) => callee !== name))
    for (const secret of secrets)
      if ((await opens(ports, route, secret)) && !able.includes(nameOf(route))) able.push(nameOf(route));
  return able;
}

/** Routes that open without any secret. */
export async function openToAll(ports: InternalPorts): Promise<string[]> {
  const able: string[] = [];
  for (const route of routes) if (await opens(ports, route)) able.push(nameOf(route));
  return able;
}

/** Routes that a process opens although no contract names it as a caller. */
export const wronglyCalled = (name: string, calls: readonly string[]): string[] =>
  calls.filter(
    (called) =>
      !routes.some((route) => nameOf(route) === called && route.callers.some((one) => one === name)),
  );
