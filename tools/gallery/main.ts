/**
 * `npm run ui`: builds the gallery of UI parts, serves it on loopback and prints its address. `npm run ui --
 * --screenshots DIR` writes screenshots at 390 and 1440 px in both themes instead.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import { buildGallery } from './build.ts';
import { pictureGallery } from './pictures.ts';

const { values } = parseArgs({
  options: { screenshots: { type: 'string' }, port: { type: 'string', default: '6006' } },
});

/** As strict as the product's own policy, to find parts that inject styles or scripts. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'";

const root = await buildGallery({ watch: values.screenshots === undefined });
const server = fastify();
server.addHook('onRequest', async (_request, reply) => {
  reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
});
await server.register(fastifyStatic, { root, cacheControl: false });
const url = await server.listen({
  host: '127.0.0.1',
  port: values.screenshots === undefined ? Number(values.port) : 0,
});

if (values.screenshots === undefined) {
  console.log(`All parts: ${url}`);
} else {
  const written = await pictureGallery(url, resolve(values.screenshots));
  for (const file of written) console.log(file);
  await server.close();
}
