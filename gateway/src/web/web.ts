import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { notFound, unavailable } from '@karaar/platform/errors';
import { label, sendError, sendJson } from '../http/answer.ts';
import type { Header } from '../http/security-headers.ts';
import { namesFile, safePath, serveFile } from './files.ts';
import { Remotes } from './remotes.ts';

export type WebOptions = {
  /** Folder that holds the apps (`<app>/dist`). */
  webDir: string;
  /** Addresses of the remotes' entries, and their hashes where the builds are not below `webDir`. */
  remotes: Readonly<Record<'user' | 'admin', { url: string; integrity?: string | undefined }>>;
  /** Foreign origins that scripts may come from: remotes elsewhere. */
  scriptOrigins: readonly string[];
  headers: Readonly<Record<'page' | 'checkout' | 'file', readonly Header[]>>;
};

/** The document of the card provider's checkout (apps/shell/src/checkout). */
const CHECKOUT = '/checkout.html';

/**
 * The browser's files: the shell at `/`, the two micro front ends below `/mfe/`, the runtime
 * configuration, and the shell's page for every path that names no file (its router decides).
 */
export class Web {
  readonly #options: WebOptions;
  readonly #shell: string;
  readonly #mounts: readonly { prefix: string; folder: string }[];
  readonly #remotes: Remotes;

  constructor(options: WebOptions) {
    this.#options = options;
    this.#shell = join(options.webDir, 'shell', 'dist');
    const mount = (name: 'user' | 'admin') => ({
      ...options.remotes[name],
      prefix: `/mfe/${name}/`,
      folder: join(options.webDir, `${name}-mfe`, 'dist'),
    });
    const remotes = { user: mount('user'), admin: mount('admin') };
    this.#mounts = Object.values(remotes);
    this.#remotes = new Remotes(this.#shell, remotes);
  }

  /** @param pathname the URL's path, undecoded */
  async serve(req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> {
    label(res, this.#headers(pathname));
    if (pathname === '/config.json') {
      const { scriptOrigins } = this.#options;
      sendJson(req, res, 200, { remotes: await this.#remotes.addresses(), scriptOrigins });
      return;
    }
    const mount = this.#mounts.find(({ prefix }) => pathname.startsWith(prefix));
    if (mount !== undefined) {
      await this.#file(req, res, mount.folder, pathname.slice(mount.prefix.length));
      return;
    }
    if (namesFile(pathname)) await this.#file(req, res, this.#shell, pathname);
    else await this.#page(req, res, pathname);
  }

  #headers(pathname: string): readonly Header[] {
    const { page, checkout, file } = this.#options.headers;
    if (pathname === CHECKOUT) return checkout;
    return namesFile(pathname) ? file : page;
  }

  async #file(req: IncomingMessage, res: ServerResponse, folder: string, urlPath: string): Promise<void> {
    const path = safePath(urlPath);
    if (path !== null && (await serveFile(req, res, folder, path))) return;
    sendError(req, res, notFound('not_found', 'There is no such file.'));
  }

  async #page(req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> {
    const hints = await this.#remotes.hints(pathname, req.headers['accept-language'] ?? '');
    if (hints !== '') res.setHeader('link', hints);
    if (await serveFile(req, res, this.#shell, 'index.html')) return;
    sendError(req, res, unavailable('web_unavailable', 'The pages of Karaar are not built yet.'));
  }
}
