/** Path traversal, in bytes that a browser would not send. */
import { openWire } from '@karaar/testing/http-wire';
import pMap from 'p-map';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** Paths that serve files, of the gateway or a service. */
// prettier-ignore
const PLACES = ['/', '/assets/', '/mfe/user/', '/mfe/admin/', '/api/docs/', '/api/files/documents/', '/api/files/auth/'];
// prettier-ignore
const STEPS = [
  '../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '....//', '.%00./', '..%252f', '..;/', '%c0%ae%c0%ae/',
];
/** The content of the two files; no answer of the product has it. */
const SPILLED = /root:x:0:0|"@?karaar[^"]*",\s*"(version|private)"|"workspaces"/;
const DEPTH = 8;
const LIMIT_MS = 10_000;

const paths = (): string[] =>
  PLACES.flatMap((place) => [
    ...STEPS.flatMap((step) => [
      `${place}${step.repeat(DEPTH)}etc/passwd`,
      ...[1, 2, 3, DEPTH].map((times) => `${place}${step.repeat(times)}package.json`),
    ]),
    `${place}/etc/passwd`,
    `${place}file:///etc/passwd`,
  ]);

async function faultOf(url: string, path: string): Promise<string | undefined> {
  const wire = await openWire(url);
  wire.write(`GET ${path} HTTP/1.1\r\nhost: ${new URL(url).hostname}\r\nconnection: close\r\n\r\n`);
  const isAnswered = await wire.until(() => wire.isClosed, LIMIT_MS);
  wire.close();
  if (!isAnswered) return `hung for ${LIMIT_MS} ms`;
  const answer = wire.received.toString();
  if (SPILLED.test(answer)) return 'a local file was sent';
  const status = Number(answer.slice(9, 12));
  return status < 500 ? undefined : `answered ${status}`;
}

export const steps: ProductCheck = {
  name: 'paths',
  needsPages: true,
  holds: 'no address leaves the served folders',
  run: async ({ url }: Target): Promise<Finding[]> => {
    const look = async (path: string) => ({ where: path, what: await faultOf(url, path) });
    const found = await pMap(paths(), look, { concurrency: 4 });
    return found.flatMap(({ where, what }) => (what === undefined ? [] : { where, what }));
  },
};
