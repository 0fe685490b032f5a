import { screenRoutes } from '@karaar/contracts/screens';
import { preloadOf } from '@karaar/i18n';
import type { QueryClient } from '@tanstack/react-query';
import { matchPath, matchRoutes } from 'react-router';
import { remoteQuery } from './remote-query.ts';

/**
 * Prefetches the screen of a path: the remote's entry, then the screen's chunk with its texts and styles.
 * Resolves at once for a path without a screen. Rejects if a load failed; the next call retries.
 */
export async function prefetchScreen(queries: QueryClient, pathname: string): Promise<void> {
  const route = screenRoutes.find(({ path }) => matchPath(path, pathname) !== null);
  if (!route) return;
  const routes = await queries.fetchQuery(remoteQuery(route.remote));
  await preloadOf(matchRoutes(routes, pathname)?.at(-1)?.route.element)?.();
}
