import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { startTestGateway, type TestGateway } from './harness.ts';

const PAGE = '<!doctype html><title>Karaar</title><script src="/main.0123456789.js"></script>';
const SCRIPT = 'export const answer = 42;\n'.repeat(100);

const ADMIN_HASH = 'sha256-admin';
const ENTRY_HASH = 'sha256-entry';
const script = (file: string) => ({ file, as: 'script' });
const ADMIN_MANIFEST = {
  federation: { file: 'mf-manifest.5a1e0b7c3d.json', as: 'fetch', integrity: ADMIN_HASH },
  entry: { ...script('remoteEntry.89abcdef01.js'), integrity: ENTRY_HASH },
  common: [script('routes.js')],
  screens: {
    '/admin/documents': { files: [script('list.js')], texts: {} },
    '/admin/documents/:id': {
      files: [{ file: 'one.css', as: 'style' }],
      texts: { en: [script('one-en.js')], hi: [script('one-hi.js')] },
    },
  },
};

let gw: TestGateway;
let https: TestGateway;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'karaar-web-'));
  const file = (path: string, content: string | Buffer) => {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  file('shell/dist/index.html', PAGE);
  file('shell/dist/main.0123456789.js', SCRIPT);
  file('shell/dist/main.0123456789.js.br', brotliCompressSync(SCRIPT));
  file('shell/dist/main.0123456789.js.gz', gzipSync(SCRIPT));
  file('shell/dist/robots.txt', 'User-agent: *\n');
  file('shell/dist/.env', 'SECRET=1');
  file('shell/dist/sub/notes.sqlite', 'x');
  file('shell/secret.txt', 'outside of dist');
  file('user-mfe/dist/remoteEntry.89abcdef01.js', 'user');
  file('admin-mfe/dist/remoteEntry.89abcdef01.js', 'admin');
  file('admin-mfe/dist/manifest.json', JSON.stringify(ADMIN_MANIFEST));
  file(
    'shell/dist/manifest.json',
    JSON.stringify({ texts: { en: [script('en.js')], hi: [script('hi.js')] } }),
  );
  file('shell/dist/checkout.html', '<!doctype html><title>Payment</title>');
  gw = await startTestGateway({ env: { WEB_DIR: dir } });
  https = await startTestGateway({ env: { WEB_DIR: dir, PUBLIC_URL: 'https://karaar.example' } });
});
afterAll(async () => {
  await Promise.all([gw.stop(), https.stop()]);
  rmSync(dir, { recursive: true });
});

/** Sends the path unchanged; fetch would resolve its dots. */
async function raw(path: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(gw.url);
  return new Promise((resolve, reject) => {
    const req = request({ host: hostname, port, path, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    req.on('error', reject);
    req.end();
  });
}

it('logs no error for files that it sends compressed, uncompressed, as heads or not at all', async () => {
  const { log } = gw.gateway;
  const before = log.error;
  const errors: unknown[] = [];
  log.error = (...args: unknown[]) => void errors.push(args);
  try {
    for (const path of [
      '/',
      '/main.0123456789.js',
      '/robots.txt',
      '/mfe/user/remoteEntry.89abcdef01.js',
      '/none.js',
    ])
      for (const encoding of ['br', 'identity'])
        for (const method of ['GET', 'HEAD'])
          await (await fetch(gw.url + path, { method, headers: { 'accept-encoding': encoding } })).text();
    expect(errors).toEqual([]);
  } finally {
    log.error = before;
  }
});

describe('pages', () => {
  it.each(['/', '/dashboard', '/document/0191/payment', '/verify', '/admin/users?x=1.2'])(
    '%s is the shell’s page, revalidated each time',
    async (path) => {
      const res = await fetch(gw.url + path);
      expect(res.status).toBe(200);
      expect(res.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(res.headers.get('cache-control')).toBe('no-cache');
      expect(await res.text()).toBe(PAGE);
    },
  );

  const policyOf = (res: Response) =>
    Object.fromEntries(
      (res.headers.get('content-security-policy') ?? '').split(';').map((part) => {
        const [name = '', ...sources] = part.split(' ');
        return [name, sources];
      }),
    );

  it('[AUTH-067] have a policy without inline code, evaluation and scripts from text', async () => {
    const res = await fetch(`${gw.url}/login`);
    expect(policyOf(res)).toEqual({
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'blob:', 'data:'],
      'font-src': ["'self'"],
      'media-src': ["'self'", 'blob:'],
      'connect-src': ["'self'"],
      'worker-src': ["'self'"],
      'frame-src': ["'self'", 'blob:'],
      'frame-ancestors': ["'none'"],
      'form-action': ["'self'"],
      'base-uri': ["'none'"],
      'object-src': ["'none'"],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ['karaar', 'karaar-shell', 'karaar-user-mfe', 'karaar-admin-mfe'],
    });
    const permissions = res.headers.get('permissions-policy') ?? '';
    expect(permissions.split(', ').filter((one) => !one.endsWith('=()'))).toEqual([
      'camera=(self)',
      'publickey-credentials-create=(self)',
      'publickey-credentials-get=(self)',
      'payment=(self)',
    ]);
    expect(permissions).toContain('microphone=()');
  });

  it('of the checkout admit only its provider, and only we may frame them', async () => {
    const live = await startTestGateway({
      env: {
        WEB_DIR: dir,
        PUBLIC_URL: 'https://karaar.example',
        CHECKOUT_ORIGINS: 'https://checkout.example, https://api.example',
      },
    });
    const theirs = ['https://checkout.example', 'https://api.example'];
    try {
      const [page, frame] = await Promise.all([
        fetch(`${live.url}/wallet`),
        fetch(`${live.url}/checkout.html`),
      ]);
      expect(page.headers.get('content-security-policy')).not.toContain('https://');
      expect(page.headers.get('permissions-policy')).toContain(
        'payment=(self "https://checkout.example" "https://api.example")',
      );
      const policy = policyOf(frame);
      for (const name of ['script-src', 'connect-src', 'frame-src', 'form-action'])
        expect([name, policy[name]]).toEqual([name, ["'self'", ...theirs]]);
      expect(policy['default-src']).toEqual(["'none'"]);
      expect(policy['frame-ancestors']).toEqual(["'self'"]);
      expect(policy['base-uri']).toEqual(["'none'"]);
      expect(frame.headers.get('content-security-policy')).not.toContain('unsafe-eval');
    } finally {
      await live.stop();
    }
  });

  it.each([
    '/login',
    '/checkout.html',
    '/main.0123456789.js',
    '/config.json',
    '/missing.js',
    '/api/health',
    '/api/none',
  ])('%s: has the security headers of every answer', async (path) => {
    const names = (url: string) => fetch(url + path).then(({ headers }) => headers);
    const plain = await names(gw.url);
    expect(Object.fromEntries(plain)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const isPage = plain.get('content-type')?.startsWith('text/html');
    expect(plain.get('cross-origin-opener-policy')).toBe(isPage ? 'same-origin-allow-popups' : null);
    expect(plain.get('content-security-policy')).toMatch(
      /default-src '(self|none)'.*frame-ancestors '(self|none)'/,
    );
    expect(plain.get('strict-transport-security')).toBeNull();
    expect((await names(https.url)).get('strict-transport-security')).toMatch(
      /^max-age=\d{8}; includeSubDomains$/,
    );
  });

  it('have a validator, and are answered with 304 if it matches', async () => {
    const first = await fetch(`${gw.url}/`);
    const etag = first.headers.get('etag') ?? '';
    // As browsers send it; fetch would send `no-cache`.
    const revalidating = { 'cache-control': 'max-age=0' };
    const second = await fetch(`${gw.url}/wallet`, {
      headers: { 'if-none-match': etag, ...revalidating },
    });
    expect(second.status).toBe(304);
    const other = await fetch(`${gw.url}/`, {
      headers: { 'if-none-match': '"other"', ...revalidating },
    });
    expect(other.status).toBe(200);
  });

  it('accept only GET and HEAD', async () => {
    expect((await fetch(`${gw.url}/login`, { method: 'POST' })).status).toBe(405);
    const head = await fetch(`${gw.url}/login`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PAGE.length)]);
  });
});

describe('files', () => {
  it('with a hash in the name may be cached forever', async () => {
    const res = await fetch(`${gw.url}/main.0123456789.js`);
    expect(res.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(res.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await res.text()).toBe(SCRIPT);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ])('for Accept-Encoding "%s": %s', async (accepted, encoding) => {
    const { hostname, port } = new URL(gw.url);
    const res = await new Promise<{ encoding?: string; vary?: string; body: Buffer }>((resolve, reject) => {
      request(
        {
          host: hostname,
          port,
          path: '/main.0123456789.js',
          headers: { 'accept-encoding': accepted },
          agent: false,
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({
              encoding: answer.headers['content-encoding'],
              vary: answer.headers.vary,
              body: Buffer.concat(chunks),
            }),
          );
        },
      )
        .on('error', reject)
        .end();
    });
    expect(res.encoding).toBe(encoding);
    expect(res.vary).toBe('accept-encoding');
    if (encoding === 'br') expect(brotliDecompressSync(res.body).toString()).toBe(SCRIPT);
    if (encoding === undefined) expect(res.body.toString()).toBe(SCRIPT);
  });

  it('remotes are cached by the hashes in their names, the configuration is never cached', async () => {
    const user = await fetch(`${gw.url}/mfe/user/remoteEntry.89abcdef01.js`);
    const forever = 'public, max-age=31536000, immutable';
    expect([await user.text(), user.headers.get('cache-control')]).toEqual(['user', forever]);
    expect(await (await fetch(`${gw.url}/mfe/admin/remoteEntry.89abcdef01.js`)).text()).toBe('admin');
    const config = await fetch(`${gw.url}/config.json`);
    expect(config.headers.get('cache-control')).toBe('no-store');
    expect(await config.json()).toEqual({
      remotes: {
        user: { url: '/mfe/user/mf-manifest.json' },
        admin: { url: '/mfe/admin/mf-manifest.5a1e0b7c3d.json', integrity: ADMIN_HASH },
      },
      scriptOrigins: [],
    });
  });

  it.each([
    '/missing.js',
    '/mfe/user/missing.js',
    '/mfe/user/',
    '/sub/notes.sqlite',
    '/.env',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/x/..%5c..%5csecret.txt',
    '/mfe/user/../../../shell/secret.txt',
    '/mfe/user/..%2f..%2f..%2fshell%2fsecret.txt',
    '/%00.js',
    `/${'a'.repeat(300)}.js`,
  ])('%s: 404, never a page, never a file from elsewhere', async (path) => {
    const res = await raw(path);
    expect(res.status).toBe(404);
    expect(res.body).not.toContain('outside');
    expect(JSON.parse(res.body)).toMatchObject({ code: 'not_found' });
  });

  it('an invalid escape: 400', async () => {
    const res = await raw('/%zz.js');
    expect([res.status, JSON.parse(res.body).code]).toEqual([400, 'malformed_request']);
  });

  it('a front end that is not built yet: 503 with a clear text', async () => {
    const bare = await startTestGateway({ env: { WEB_DIR: join(dir, 'nowhere') } });
    try {
      const res = await fetch(`${bare.url}/login`);
      expect(res.status).toBe(503);
      expect(await res.json()).toMatchObject({ code: 'web_unavailable' });
    } finally {
      await bare.stop();
    }
  });
});

describe('the files of a screen', () => {
  const linked = async (path: string, language = 'en') => {
    const res = await fetch(gw.url + path, { headers: { 'accept-language': language } });
    return (res.headers.get('link') ?? '').split(', ').map((one) => /^<([^>]+)>/.exec(one)?.[1]);
  };

  it('are in the page’s Link header, in the visitor’s language, with the hashes that the scripts will use', async () => {
    expect(await linked('/admin/documents/0191', 'fr-FR, hi;q=0.8, en;q=0.5')).toEqual([
      '/hi.js',
      '/mfe/admin/mf-manifest.5a1e0b7c3d.json',
      '/mfe/admin/remoteEntry.89abcdef01.js',
      '/mfe/admin/routes.js',
      '/mfe/admin/one.css',
      '/mfe/admin/one-hi.js',
    ]);
    const res = await fetch(`${gw.url}/admin/documents/0191`);
    expect(res.headers.get('link')).toContain(
      `</mfe/admin/remoteEntry.89abcdef01.js>; rel=preload; as=script; integrity="${ENTRY_HASH}"`,
    );
    expect(res.headers.get('link')).toContain('</mfe/admin/one.css>; rel=preload; as=style');
    expect(res.headers.get('link')).toContain(
      '</mfe/admin/mf-manifest.5a1e0b7c3d.json>; rel=preload; as=fetch; crossorigin',
    );
  });

  it('are those of the first matching pattern, or only the remote for a screen that its build lacks', async () => {
    expect(await linked('/admin/documents')).toEqual([
      '/en.js',
      '/mfe/admin/mf-manifest.5a1e0b7c3d.json',
      '/mfe/admin/remoteEntry.89abcdef01.js',
      '/mfe/admin/routes.js',
      '/mfe/admin/list.js',
    ]);
    expect(await linked('/admin/users')).toEqual([
      '/en.js',
      '/mfe/admin/mf-manifest.5a1e0b7c3d.json',
      '/mfe/admin/remoteEntry.89abcdef01.js',
      '/mfe/admin/routes.js',
    ]);
  });

  it('are unknown for a missing or unfinished build, and follow a new build', async () => {
    expect(await linked('/dashboard')).toEqual(['/en.js']);
    const manifest = join(dir, 'user-mfe/dist/manifest.json');
    writeFileSync(manifest, '{"entry":');
    expect(await linked('/dashboard')).toEqual(['/en.js']);
    writeFileSync(manifest, JSON.stringify({ ...ADMIN_MANIFEST, common: [], screens: {} }));
    expect(await linked('/dashboard')).toEqual([
      '/en.js',
      '/mfe/user/mf-manifest.5a1e0b7c3d.json',
      '/mfe/user/remoteEntry.89abcdef01.js',
    ]);
    expect(await linked('/nowhere')).toEqual([
      '/en.js',
      '/mfe/user/mf-manifest.5a1e0b7c3d.json',
      '/mfe/user/remoteEntry.89abcdef01.js',
    ]);
    expect(await linked('/')).toEqual([
      '/en.js',
      '/mfe/user/mf-manifest.5a1e0b7c3d.json',
      '/mfe/user/remoteEntry.89abcdef01.js',
    ]);
    rmSync(manifest);
  });

  it('come with a remote of another origin from the configuration, which the page policy allows', async () => {
    const elsewhere = await startTestGateway({
      env: {
        WEB_DIR: dir,
        REMOTE_ADMIN_URL: 'https://cdn.example/admin/mf-manifest.json',
        REMOTE_ADMIN_INTEGRITY: 'sha384-elsewhere',
      },
    });
    try {
      const res = await fetch(`${elsewhere.url}/admin/documents`);
      expect(res.headers.get('link')).toBe('</en.js>; rel=preload; as=script');
      expect(await (await fetch(`${elsewhere.url}/config.json`)).json()).toMatchObject({
        remotes: {
          admin: { url: 'https://cdn.example/admin/mf-manifest.json', integrity: 'sha384-elsewhere' },
        },
        scriptOrigins: ['https://cdn.example'],
      });
      const policy = res.headers.get('content-security-policy') ?? '';
      for (const name of ['script-src', 'style-src', 'font-src', 'img-src', 'connect-src']) {
        expect(policy).toMatch(new RegExp(`${name} 'self'[^;]* https://cdn\\.example`));
      }
    } finally {
      await elsewhere.stop();
    }
  });
});
