/** What the secrets in the environment of one process open at the inner doors of the others: tried at the doors themselves. */
import { internalRoutes, type InternalRoute } from '@karaar/contracts/internal';
import type { Environments } from './environment.ts';

/** Base URLs of the inner doors, by the name of the process. */
export type Doors = Readonly<Record<string, string>>;

const routes: readonly InternalRoute[] = Object.values(internalRoutes);

/** `vision /internal/check`. */
const nameOf = ({ callee, path }: InternalRoute): string => `${callee} ${path}`;

/** Each service credential that a process has, to whichever door it leads. */
const secretsOf = (environment: NodeJS.ProcessEnv): string[] =>
  Object.entries(environment).flatMap(([name, value = '']) =>
    name.endsWith('_SECRETS') ? value.split(',') : [],
  );

/** Whether the door takes it; no service accepts the body. */
async function opens(
  doors: Doors,
  { method, path, callee }: InternalRoute,
  secret?: string,
): Promise<boolean> {
  const door = doors[callee];
  if (door === undefined) throw new Error(`no inner door of ${callee}`);
  const answer = await fetch(door + path, {
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
export async function callableBy(name: string, all: Environments, doors: Doors): Promise<string[]> {
  const secrets = secretsOf(all.get(name) ?? {});
  const able: string[] = [];
  for (const route of routes.filter(({ callee }) => callee !== name))
    for (const secret of secrets)
      if ((await opens(doors, route, secret)) && !able.includes(nameOf(route))) able.push(nameOf(route));
  return able;
}

/** Routes that open without any secret. */
export async function openToAll(doors: Doors): Promise<string[]> {
  const able: string[] = [];
  for (const route of routes) if (await opens(doors, route)) able.push(nameOf(route));
  return able;
}

/** Routes that a process opens although no contract names it as a caller. */
export const wronglyCalled = (name: string, calls: readonly string[]): string[] =>
  calls.filter(
    (called) =>
      !routes.some((route) => nameOf(route) === called && route.callers.some((one) => one === name)),
  );
