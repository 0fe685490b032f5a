import { screenRoutes } from '@karaar/contracts/screens';
import fc from 'fast-check';
import { keptAs, treat } from './rules.ts';

const ORIGIN = 'https://karaar.example';
const get = (path: string) => treat({ method: 'GET', url: ORIGIN + path, navigates: false }, ORIGIN);
const open = (path: string) => treat({ method: 'GET', url: ORIGIN + path, navigates: true }, ORIGIN);

it('never handles the API, whatever its path', () => {
  fc.assert(
    fc.property(
      fc.webPath(),
      fc.boolean(),
      fc.constantFrom('', '.0123456789.js', '/config.json'),
      (path, navigates, end) => {
        const url = `${ORIGIN}/api/${path}${end}`;
        expect(treat({ method: 'GET', url, navigates }, ORIGIN)).toBeNull();
      },
    ),
  );
  for (const path of ['/files/abc?sig=1', '/dev/sms', '/api', '/api/docs']) expect(open(path)).toBeNull();
});

it('ignores other origins, other methods and unknown files', () => {
  expect(
    treat({ method: 'GET', url: 'https://checkout.example/v1.0123456789.js', navigates: false }, ORIGIN),
  ).toBeNull();
  expect(treat({ method: 'POST', url: `${ORIGIN}/x.0123456789.js`, navigates: false }, ORIGIN)).toBeNull();
  expect(treat({ method: 'HEAD', url: `${ORIGIN}/config.json`, navigates: false }, ORIGIN)).toBeNull();
  expect(get('/robots.txt')).toBeNull();
  expect(get('/sw.js')).toBeNull();
  expect(open('/report.pdf')).toBeNull();
});

it('returns the same HTML document for every screen', () => {
  for (const { path } of screenRoutes) {
    const at = path.replaceAll(/:\w+/g, 'x1');
    expect([at, open(at)]).toEqual([at, 'page']);
    expect(keptAs(`${ORIGIN}${at}?code=1`, 'page')).toBe(`${ORIGIN}/`);
  }
});

it('serves hashed names from the cache and requests the others', () => {
  for (const path of [
    '/main.bbbea56a0b.js',
    '/mfe/user/115.3279ece9ef.css',
    '/noto.0123456789.woff2',
    '/model.0123456789.tflite',
    '/mfe/admin/remoteEntry.0123456789.js?attempt=2',
    '/mfe/user/mf-manifest.0123456789.json',
  ])
    expect([path, get(path)]).toEqual([path, 'file']);
  for (const path of ['/config.json', '/icon.svg', '/icon-192.png'])
    expect([path, get(path)]).toEqual([path, 'entry']);
  expect(keptAs(`${ORIGIN}/mfe/admin/remoteEntry.0123456789.js?attempt=2`, 'file')).toBe(
    `${ORIGIN}/mfe/admin/remoteEntry.0123456789.js`,
  );
});
