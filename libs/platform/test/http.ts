import { createLogger } from '../src/logging/index.ts';
import { createHttpApp, listen, type HttpApp, type HttpAppOptions } from '../src/http-kit/index.ts';

/** A logger whose lines a test can read. */
export function recordingLogger() {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  return {
    logger,
    text: () => lines.join(''),
    lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

export type TestApp = { app: HttpApp; url: string; log: ReturnType<typeof recordingLogger> };

/** An app on a free loopback port, after `mount` has added its routes. */
export async function startApp(
  mount: (app: HttpApp) => void,
  options: Partial<HttpAppOptions> = {},
): Promise<TestApp> {
  const log = recordingLogger();
  const app = createHttpApp({ name: 'test', logger: log.logger, ...options });
  mount(app);
  return { app, url: await listen(app, { host: '127.0.0.1', port: 0 }), log };
}

/** Status and parsed body of an answer. */
export async function wire(answer: Response | Promise<Response>): Promise<{ status: number; body: unknown }> {
  const response = await answer;
  return { status: response.status, body: await response.json() };
}

export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
