/**
 * The browser's files: the shell at `/`, the two micro front ends below `/mfe/`, the runtime
 * configuration, and the shell's page for every path that names no file (its router decides).
 */
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import { notFound, unavailable } from '@karaar/platform/errors';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.ts';
import { wrongMethod } from '../http/refusals.ts';
import {
  checkoutPolicy,
  filePolicy,
  pagePolicy,
  permissions,
  type SecurityOptions,
} from '../http/security.ts';
import { findFile, namesFile, safePath, type FoundFile } from './files.ts';
import { Remotes } from './remotes.ts';

/** The document of the card provider's checkout (apps/shell/src/checkout). */
const CHECKOUT = '/checkout.html';

export async function web(
  app: FastifyInstance,
  { config, security }: { config: GatewayConfig; security: SecurityOptions },
): Promise<void> {
  const shell = join(config.WEB_DIR, 'shell', 'dist');
  const mount = (name: 'user' | 'admin', url: string, integrity: string | undefined) => ({
    url,
    integrity,
    prefix: `/mfe/${name}/`,
    folder: join(config.WEB_DIR, `${name}-mfe`, 'dist'),
  });
  const mounts = {
    user: mount('user', config.REMOTE_USER_URL, config.REMOTE_USER_INTEGRITY),
    admin: mount('admin', config.REMOTE_ADMIN_URL, config.REMOTE_ADMIN_INTEGRITY),
  };
  const remotes = new Remotes(shell, mounts);
  const page = { policy: pagePolicy(security), permissions: permissions(security) };
  const checkout = { ...page, policy: checkoutPolicy(security) };
  const asset = { policy: filePolicy(security), permissions: undefined };

  await app.register(helmet, { ...asset.policy, global: false });
  await app.register(fastifyStatic, {
    root: config.WEB_DIR,
    serve: false,
    index: false,
    acceptRanges: false,
    contentType: false,
    suppressWarning: true,
  });

  const locate = async (path: string, accepted: string): Promise<FoundFile> => {
    const remote = Object.values(mounts).find(({ prefix }) => path.startsWith(prefix));
    if (remote === undefined && !namesFile(path)) {
      const found = await findFile(shell, 'index.html', accepted);
      if (found === undefined) throw unavailable('web_unavailable', 'The pages of Karaar are not built yet.');
      return found;
    }
    const within = safePath(remote === undefined ? path : path.slice(remote.prefix.length));
    const found = within === null ? undefined : await findFile(remote?.folder ?? shell, within, accepted);
    if (found === undefined) throw notFound('not_found', 'There is no such file.');
    return found;
  };
  app.get('/config.json', async (_req, reply) => {
    await reply.helmet(asset.policy);
    const scriptOrigins = security.remoteOrigins;
    return reply
      .header('cache-control', 'no-store')
      .send({ remotes: await remotes.addresses(), scriptOrigins });
  });
  app.all('/*', async (req, reply) => {
    const [path = ''] = (req.raw.url ?? '').split('?');
    const kind = path === CHECKOUT ? checkout : namesFile(path) ? asset : page;
    await reply.helmet(kind.policy);
    if (kind.permissions !== undefined) reply.header('permissions-policy', kind.permissions);
    if (req.method !== 'GET' && req.method !== 'HEAD') throw wrongMethod(['GET', 'HEAD']);
    const file = await locate(path, String(req.headers['accept-encoding'] ?? ''));
    if (file.path.startsWith('index.html')) {
      const hints = await remotes.hints(path, req.headers['accept-language'] ?? '');
      if (hints !== '') reply.header('link', hints);
    }
    return reply.headers(file.headers).sendFile(file.path, file.folder, { cacheControl: false });
  });
}
