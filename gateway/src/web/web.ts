/**
 * The files for browsers, with `@fastify/static`: the shell at `/`, the two micro front ends under `/mfe/`,
 * the runtime configuration, and the shell's page for every path that is not a file (its router decides).
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { mime } from '@fastify/send';
import fastifyStatic from '@fastify/static';
import { notFound, unavailable } from '@karaar/base/errors';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import { remoteOrigins, securityHeaders, setHeaders } from '../http/security.ts';
import { addressOf, hintsOf, remotesOf } from './remotes.ts';

/** Served file types of the builds; compressed forms are found by file name. */
const SERVED =
  /\.(?:html|m?js|css|json|map|txt|svg|png|jpg|webp|ico|woff2|ttf|pfb|bcmap|wasm|tflite|pdf|webmanifest)$/;
/** A path with a hidden file, a `..` segment, an empty segment, a NUL or a backslash. */
const REFUSED = /(?:^|\/)(?:\.|\/)|[\0\\]/;
/** A file name with a content hash: the file never changes. */
const HASHED = /\.[0-9a-f]{8,}\.[a-z0-9]+$/;
// The type of RFC 9239; the library's table still has the older name.
mime.define({ 'text/javascript': ['js', 'mjs'] }, true);

/** The decoded path under a folder; missing for the folder itself. */
type Below = { Params: { '*'?: string } };

/** Fastify plugin; an unknown file gets 404, a page 503 `web_unavailable` while the shell is not built. */
export async function web(app: FastifyInstance, { config }: { config: GatewayConfig }): Promise<void> {
  const headers = securityHeaders(config);
  const shell = join(config.WEB_DIR, 'shell', 'dist');
  const remotes = remotesOf(config);
  const hintsFor = hintsOf(shell, remotes);
  const refuseOthers = refuseOtherMethods(app);
  app.addHook('onRequest', setHeaders(headers.file));
  await app.register(fastifyStatic, {
    root: config.WEB_DIR,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    acceptRanges: false,
    index: false,
    suppressWarning: true,
  });

  const sendFile = (reply: FastifyReply, folder: string, path = ''): FastifyReply => {
    if (REFUSED.test(path) || !SERVED.test(path)) throw notFound('not_found', 'There is no such file.');
    reply.header('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    return reply.sendFile(path, folder);
  };

  for (const { prefix, folder } of Object.values(remotes))
    for (const url of [prefix, `${prefix}*`])
      app.get<Below>(url, async (req, reply) => sendFile(reply, folder, req.params['*']));

  app.get('/config.json', async (_req, reply) => {
    reply.header('cache-control', 'no-store');
    const [user, admin] = [await addressOf(remotes.user), await addressOf(remotes.admin)];
    return { remotes: { user, admin }, scriptOrigins: remoteOrigins(config) };
  });

  app.get('/checkout.html', async (_req, reply) =>
    sendFile(reply.headers(headers.checkout), shell, 'checkout.html'),
  );

  app.get<Below>('/*', async (req, reply) => {
    const [path = ''] = (req.raw.url ?? '').split('?');
    // A path with a dot in its last segment is a file, any other a screen of the app.
    if (path.slice(path.lastIndexOf('/')).includes('.')) return sendFile(reply, shell, req.params['*']);
    reply.headers(headers.page);
    await access(join(shell, 'index.html')).catch(() => {
      throw unavailable('web_unavailable', 'The pages of Karaar are not built yet.');
    });
    const hints = await hintsFor(path, req.headers['accept-language'] ?? '');
    if (hints !== '') reply.header('link', hints);
    return sendFile(reply, shell, 'index.html');
  });
  refuseOthers();
}
