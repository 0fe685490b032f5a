import type { FastifyInstance } from 'fastify';
import { wrongMethod } from './refusals.ts';

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
        throw wrongMethod(methods.toSorted());
      };
      if (others.length > 0) app.route({ method: others, url, handler });
    }
  };
}
