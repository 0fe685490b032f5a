/** `npm run ui`: serves the gallery of UI parts on loopback, and builds it again after every change. */
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import webpack, { type Configuration } from 'webpack';

/** As strict as the product's own policy, to find parts that inject styles or scripts. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'";
const PORT = 6006;

const folder = new URL('../libs/ui/gallery/', import.meta.url);
const { default: configuration } = (await import(new URL('webpack.config.mjs', folder).href)) as {
  default: (env: unknown, options: { mode: Configuration['mode'] }) => Configuration;
};
webpack({ ...configuration({}, { mode: 'development' }), watch: true }, (error, stats) => {
  const faults = error?.message ?? (stats?.hasErrors() ? stats.toString('errors-only') : undefined);
  if (faults) console.error(faults);
});
const server = fastify();
server.addHook('onRequest', async (_request, reply) => {
  reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
});
await server.register(fastifyStatic, { root: fileURLToPath(new URL('dist/', folder)), cacheControl: false });
console.log(`All parts: ${await server.listen({ host: '127.0.0.1', port: PORT })}`);
