import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@karaar/testing/processes/ports';
import { ensureTool } from '../lib/install.ts';
import type { Child } from '../lib/process.ts';

/** As the gateway's answers of the API carry them (gateway/src/http/security.ts). */
const HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
  ['cross-origin-opener-policy', 'same-origin-allow-popups'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['content-security-policy', "default-src 'none';frame-ancestors 'none'"],
  ['cache-control', 'no-store'],
];

const config = (port: number, upstream: number, dir: string) => `
daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
  keepalive_requests 1000000000;
  limit_req_zone $binary_remote_addr zone=address:10m rate=1000000r/s;
  upstream service {
    server 127.0.0.1:${upstream};
    keepalive 128;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location /api/ {
      proxy_pass http://service/;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $host;
      proxy_set_header X-Request-Id $request_id;
      proxy_set_header Traceparent "00-$request_id-0123456789abcdef-01";
      limit_req zone=address burst=100000 nodelay;
      add_header X-Request-Id $request_id;
${HEADERS.map(([name, value]) => `      add_header ${name} "${value}";`).join('\n')}
    }
  }
}
`;

const KEEPER = `"$@" -g 'master_process off;' & cat > /dev/null; kill -9 $!`;

/**
 * nginx with one worker in front of the same service, set up for the gateway's job (labels, headers, a limit
 * per address) but for the token, which it does not check. `pid` is the worker's.
 */
export async function startNginx(upstream: number): Promise<Child> {
  const nginx = ensureTool({ command: 'nginx', debian: 'nginx-light', alsoIn: ['/usr/sbin'] });
  const dir = mkdtempSync(join(tmpdir(), 'karaar-bench-nginx-'));
  const port = await freePort();
  writeFileSync(join(dir, 'nginx.conf'), config(port, upstream, dir));
  // One process without a master: the pid that is measured is the one that works. The shell ends it when
  // our end of its input closes, so that it survives us in no case.
  const child = spawn('sh', ['-c', KEEPER, 'sh', nginx, '-p', dir, '-c', join(dir, 'nginx.conf')], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await until(port);
  return {
    port,
    pid: Number(readFileSync(join(dir, 'nginx.pid'), 'utf8')),
    stop: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function until(port: number): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await sleep(50)) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
  }
  throw new Error('nginx did not listen within 10 s');
}
