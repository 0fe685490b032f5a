import { AppError } from '@karaar/base/errors';
import type { FastifyInstance } from 'fastify';

/**
 * Makes a scope answer 405 for a path that exists only with other methods. Call it before the routes are
 * added.
 * @returns a function to call after all routes are added
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const known = new Map<string, string[]>();
  app.addHook('onRoute', ({ routePath, method }) => {
    known.set(routePath, [known.get(routePath) ?? [], method].flat());
  });
  return () => {
    for (const [url, methods] of [...known]) {
      const others = app.supportedMethods.filter((method) => !methods.includes(method));
      const handler = (): never => {
        const headers = { allow: methods.toSorted().join(', ') };
        throw new AppError(405, 'method_not_allowed', 'This action is not supported.', { headers });
      };
      if (others.length > 0) app.route({ method: others, url, handler });
    }
  };
}
