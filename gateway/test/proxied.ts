/**
 * Shared by the tests of proxying: a gateway with short deadlines, and requests whose bodies the test writes
 * itself.
 */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { bearer } from '@karaar/testing/people/tokens';
import { startTestGateway, type TestGateway } from './harness.ts';

export const MiB = 1024 * 1024;
export const UPLOAD = '/api/documents/create';

/** Long enough for the head of an answer on a busy machine. */
export const DEADLINE_MS = 3_000;

export let gw: TestGateway;
export let auth: { authorization: string };

const keepAlive = new Agent({ keepAlive: true });

beforeAll(async () => {
  gw = await startTestGateway({ env: { DEADLINE_MS: String(DEADLINE_MS), UPLOAD_STALL_MS: '3000' } });
  auth = bearer(await gw.tokens.user());
});
afterAll(() => {
  keepAlive.destroy();
  return gw.stop();
});
afterEach(() => {
  for (const name of Object.keys(gw.services)) Reflect.deleteProperty(gw.services, name);
});

export function open(
  path: string,
  options: { method?: string; headers?: Record<string, string | number> } = {},
) {
  const req = httpRequest(gw.url + path, {
    method: options.method ?? 'POST',
    headers: { ...auth, ...options.headers },
    agent: keepAlive,
  });
  const answer = once(req, 'response').then(([res]) => res as IncomingMessage);
  answer.catch(() => undefined);
  return { req, answer };
}

export async function text(res: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
