import { AppError } from '@karaar/platform/errors';
import type { FastifyInstance } from 'fastify';

/**
 * Has a scope answer 405 where an address exists with other methods only. To be called before its routes are added.
 * @returns to be called when they are all there
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
        throw new AppError(405, 'method_not_allowed', 'This address exists with another method.', {
          headers,
        });
      };
      if (others.length > 0) app.route({ method: others, url, handler });
    }
  };
}
