import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Returns the parts of a route that the browser client needs at run time; the rest of a contract is types.
 */
const metadata = ({ method, path, access, multipart, response, timeoutMs }) => ({
  method,
  path,
  access,
  ...(multipart ? { multipart: true } : {}),
  ...(response[200] === 'binary' ? { response: { 200: 'binary' } } : {}),
  ...(timeoutMs ? { timeoutMs } : {}),
});

const isRoute = (value) => typeof value?.method === 'string' && typeof value?.path === 'string';

/** Returns a group of routes as metadata, and a constant unchanged; drops schemas. */
function slim(value) {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const routes = Object.entries(value ?? {}).filter(([, route]) => isRoute(route));
  if (routes.length === 0) return undefined;
  return Object.fromEntries(routes.map(([key, route]) => [key, metadata(route)]));
}

/**
 * Webpack loader for the files of `libs/contracts` that use TypeBox (`<service>/*.ts`, `kit.ts`): runs the
 * file at build time and emits only constants and each route's method, path and access. TypeBox stays out of
 * the browser.
 */
export default async function contractLoader() {
  const { mtimeMs } = statSync(this.resourcePath);
  const contract = await import(`${pathToFileURL(this.resourcePath).href}?v=${mtimeMs}`);
  return Object.entries(contract)
    .map(([name, value]) => [name, slim(value)])
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
