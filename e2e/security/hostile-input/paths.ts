/** Addresses that step out of a folder, byte by byte as no browser would send them. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gather } from '../../src/gather.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** Where the gateway, or a service behind it, has files. */
// prettier-ignore
const PLACES = ['/', '/assets/', '/mfe/user/', '/mfe/admin/', '/api/docs/', '/api/files/documents/', '/api/files/auth/'];
// prettier-ignore
const STEPS = [
  '../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '....//', '.%00./', '..%252f', '..;/', '%c0%ae%c0%ae/',
];
const GOALS = ['etc/passwd', 'package.json'];
/** What is in each of the goals, and in no answer of ours. */
const SPILLED = /root:x:0:0|"@?karaar[^"]*",\s*"(version|private)"|"workspaces"/;
const DEPTH = 8;
const PATIENCE_MS = 10_000;

const paths = (): string[] =>
  PLACES.flatMap((place) => [
    ...STEPS.flatMap((step) => GOALS.map((goal) => `${place}${step.repeat(DEPTH)}${goal}`)),
    // One and two folders up are the app's own.
    ...STEPS.flatMap((step) => [1, 2, 3].map((times) => `${place}${step.repeat(times)}package.json`)),
    `${place}/etc/passwd`,
    `${place}file:///etc/passwd`,
  ]);

async function ask(url: string, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`hung for ${PATIENCE_MS} ms`)));
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
  return text(socket);
}

export const steps: ProductCheck = {
  name: 'paths',
  needsPages: true,
  holds: 'no address steps out of the folders that are served',
  run: ({ url }: Target) =>
    gather(paths(), async (path): Promise<Finding[]> => {
      try {
        const answer = await ask(url, path);
        const status = Number(answer.slice(9, 12));
        if (SPILLED.test(answer)) return [{ where: path, what: 'a file of the machine was given' }];
        return status >= 500 || Number.isNaN(status) ? [{ where: path, what: `answered ${status}` }] : [];
      } catch (error) {
        return [{ where: path, what: error instanceof Error ? error.message : String(error) }];
      }
    }),
};
