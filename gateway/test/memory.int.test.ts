import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { DEAD_URL, listenOn } from './harness.ts';

const MiB = 1024 * 1024;
const TOTAL = 200 * MiB;

async function ask(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ rss: number }]>;
  child.send('memory');
  return (await answer)[0].rss;
}

let sent = 0;

/**
 * Sends an upload of this size.
 * @returns the gateway's largest memory meanwhile
 */
async function upload(child: ChildProcess, port: number, bytes: number): Promise<number> {
  const req = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/documents/create',
    headers: { authorization: 'Bearer a.b.c', 'content-length': bytes },
  });
  const answer = once(req, 'response') as Promise<[IncomingMessage]>;
  const chunk = Buffer.alloc(256 * 1024, 7);
  let peak = 0;
  for (let written = 0; written < bytes; written += chunk.length) {
    sent += chunk.length;
    if (!req.write(chunk)) await once(req, 'drain');
    if (written % (8 * MiB) === 0) peak = Math.max(peak, await ask(child));
  }
  req.end();
  const [res] = await answer;
  res.resume();
  expect(res.statusCode).toBe(200);
  return peak;
}

it('a 200 MB upload at the pace of a slow service does not grow the gateway’s memory', async () => {
  let received = 0;
  let largestLead = 0;
  const service = createServer((req, res) => {
    req.on('data', (chunk: Buffer) => {
      received += chunk.length;
      largestLead = Math.max(largestLead, sent - received);
      // A slow disk: it pauses after each MiB.
      if (received % MiB < chunk.length) {
        req.pause();
        setTimeout(() => req.resume(), 2);
      }
    });
    req.on('end', () => res.end('{}'));
  });
  const serviceUrl = await listenOn(service);
  const child = fork(fileURLToPath(new URL('./gateway-process.ts', import.meta.url)), {
    execArgv: [],
    env: {
      ...process.env,
      PORT: '0',
      NATS_URL: 'nats://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, DEAD_URL])),
      DOCUMENTS_URL: serviceUrl,
    },
  });
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const warm = await upload(child, port, 100 * MiB);
    const peak = await upload(child, port, TOTAL);
    expect(received).toBe(100 * MiB + TOTAL);
    // The four socket buffers on the way hold some megabytes each.
    expect(largestLead).toBeLessThan(60 * MiB);
    // A gateway that buffered the body would grow by the second 100 MB; a busy machine collects garbage late.
    expect(peak - warm).toBeLessThan(64 * MiB);
  } finally {
    child.kill();
    service.closeAllConnections();
    service.close();
  }
}, 120_000);
