/**
 * `npm run ui`: builds the page of all parts, serves it on loopback and prints its address.
 * `npm run ui -- --screenshots DIR` writes pictures of it at 390 and 1440 px in both themes instead, and ends.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildGallery } from './build.ts';
import { pictureGallery } from './pictures.ts';
import { serveFolder } from './serve.ts';

const { values } = parseArgs({
  options: { screenshots: { type: 'string' }, port: { type: 'string', default: '6006' } },
});

const folder = await buildGallery({ watch: values.screenshots === undefined });
const server = await serveFolder(folder, values.screenshots === undefined ? Number(values.port) : 0);

if (values.screenshots === undefined) {
  console.log(`All parts: ${server.url}`);
} else {
  const written = await pictureGallery(server.url, resolve(values.screenshots));
  for (const file of written) console.log(file);
  server.close();
}
