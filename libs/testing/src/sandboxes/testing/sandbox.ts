import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createSandboxes } from '../app.ts';
import { freePort } from '../../processes/ports.ts';
import type { SandboxConfig } from '../config.ts';

export const KEYS = {
  keyId: 'rzp_test_sandbox',
  keySecret: 'test-key-secret',
  webhookSecret: 'test-webhook-secret',
};
/** Short, because a second process in a test retries the webhooks of the first one. */
const RETRY_MS = 100;

export interface TestSandbox {
  app: FastifyInstance;
  url: string;
  /** The SMTP port; 0 without an SMTP server. */
  smtpPort: number;
  close(): Promise<void>;
}

/** Starts the sandboxes over real HTTP on a free port. */
export async function startSandbox(
  options: {
    stateDir?: string;
    webhookUrl?: string;
    smtp?: boolean;
    whatsapp?: SandboxConfig['whatsapp'];
    msg91Webhooks?: readonly string[];
  } = {},
): Promise<TestSandbox> {
  const smtpPort = options.smtp ? await freePort() : undefined;
  const config: SandboxConfig = {
    host: '127.0.0.1',
    port: 0,
    smtpPort,
    publicUrl: 'http://localhost:8080',
    stateDir: options.stateDir,
    ...(options.whatsapp ? { whatsapp: options.whatsapp } : {}),
    msg91Webhooks: options.msg91Webhooks ?? [],
    razorpay: { ...KEYS, webhookUrl: options.webhookUrl },
  };
  const app = await createSandboxes(config, { retryMs: () => RETRY_MS });
  const url = await app.listen({ host: config.host, port: 0 });
  return { app, url, smtpPort: smtpPort ?? 0, close: () => app.close() };
}

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  event: { event: string; payload: { payment: { entity: Record<string, unknown> } } };
  /** True if the signature matches the body. */
  genuine: boolean;
  at: number;
  /** From the request's first byte to its last. */
  tookMs: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Number of requests that were interrupted. */
  broken: number;
  /** The status to answer with. */
  answer: number;
  /** Resolves when this many requests have arrived completely. */
  arrived(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks in place of the wallet. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((req, res) => {
    const started = Date.now();
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('error', () => (receiver.broken += 1));
    req.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const signature = createHmac('sha256', KEYS.webhookSecret).update(body).digest('hex');
      receiver.received.push({
        headers: req.headers,
        body,
        event: JSON.parse(body) as Received['event'],
        genuine: req.headers['x-razorpay-signature'] === signature,
        at: Date.now(),
        tookMs: Date.now() - started,
      });
      res.writeHead(receiver.answer).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet/razorpay-webhook`,
    received: [],
    broken: 0,
    answer: 200,
    arrived: async (count) => {
      for (let waited = 0; receiver.received.length < count; waited += 10) {
        if (waited > 15_000) throw new Error(`only ${receiver.received.length} of ${count} webhooks arrived`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return receiver.received;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
