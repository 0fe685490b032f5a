import { createLogger } from '@karaar/observability/logging';
import { createHttpApp, listenOnPorts, type HttpApp, type HttpAppOptions } from '../index.ts';

/** Returns a logger whose lines a test can read. */
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

export type TestApp = {
  app: HttpApp;
  url: string;
  innerUrl: string;
  log: ReturnType<typeof recordingLogger>;
};

export const FREE_PORTS = { HOST: '127.0.0.1', PORT: 0, INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: 0 };

/** Starts an app on free loopback ports, after `mount` has added its routes. */
export async function startApp(
  mount: (app: HttpApp) => void,
  options: Partial<HttpAppOptions> = {},
): Promise<TestApp> {
  const log = recordingLogger();
  const app = createHttpApp({ name: 'test', logger: log.logger, ...options });
  mount(app);
  return { app, ...(await listenOnPorts(app, FREE_PORTS)), log };
}

/** Returns the status and parsed body of a response. */
export async function wire(answer: Response | Promise<Response>): Promise<{ status: number; body: unknown }> {
  const response = await answer;
  return { status: response.status, body: await response.json() };
}

export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
