import { once } from 'node:events';
import { bearer } from '@karaar/testing/people/tokens';
import { startTestGateway, until } from './harness.ts';
import { auth, gw, MiB, open, text, UPLOAD } from './proxied.ts';

describe('when one side disconnects', () => {
  it('a browser that disconnects while it waits aborts the work of the service', async () => {
    let started = false;
    let aborted = false;
    gw.services.documents = (req, res) => {
      started = true;
      res.on('close', () => {
        aborted = !res.writableFinished;
      });
      req.resume();
    };
    const { req, answer } = open('/api/documents/my-documents', { method: 'GET' });
    req.end();
    await until(() => started, 'the request to reach the service');
    req.destroy();
    await expect(answer).rejects.toThrow();
    await until(() => aborted, 'the service to see the abort');
  });

  it('a browser that disconnects during its upload aborts it at the service', async () => {
    let started = false;
    let aborted = false;
    gw.services.documents = (req) => {
      req.on('data', () => {
        started = true;
      });
      req.on('aborted', () => {
        aborted = true;
      });
      req.on('error', () => undefined);
    };
    const { req } = open(UPLOAD, { headers: { 'content-length': 10 * MiB } });
    req.on('error', () => undefined);
    req.write(Buffer.alloc(MiB));
    await until(() => started, 'the upload to begin');
    req.destroy();
    await until(() => aborted, 'the service to see the abort');
  });

  it('a browser that disconnects during a download stops it at the service', async () => {
    let closed = false;
    gw.services.documents = (_req, res) => {
      const timer = setInterval(() => res.write(Buffer.alloc(64 * 1024)), 5);
      res.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    };
    const { req, answer } = open('/api/documents/x/final-pdf', { method: 'GET' });
    req.end();
    const res = await answer;
    res.on('error', () => undefined);
    await once(res, 'data');
    req.destroy();
    await until(() => closed, 'the service to see the abort');
  });

  it('a service that dies during its answer cuts the connection: a part never looks complete', async () => {
    gw.services.documents = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/pdf' });
      res.write('half of it', () => res.destroy());
    };
    const { req, answer } = open('/api/documents/x/final-pdf', { method: 'GET' });
    req.end();
    await expect(text(await answer)).rejects.toThrow();
  });

  it('a service that cuts the connection before answering: one retry for a GET, 503 for other methods', async () => {
    const calls: string[] = [];
    gw.services.documents = (req) => {
      calls.push(req.method ?? '');
      req.socket.destroy();
    };
    const read = await fetch(`${gw.url}/api/documents/my-documents`, { headers: auth });
    expect(read.status).toBe(503);
    const write = await fetch(`${gw.url}/api/documents/a/approve/b`, { method: 'PUT', headers: auth });
    expect(write.status).toBe(503);
    expect(await write.json()).toEqual({
      detail: 'The documents service is not available right now. Please try again in a moment.',
      code: 'service_unavailable',
    });
    expect(calls).toEqual(['GET', 'GET', 'PUT']);
  });

  it('a service that answers the retry: the browser notices nothing', async () => {
    let calls = 0;
    gw.services.documents = (req, res) => {
      calls += 1;
      if (calls === 1) req.socket.destroy();
      else res.end('[]');
    };
    const res = await fetch(`${gw.url}/api/documents/my-documents`, { headers: auth });
    expect([res.status, await res.text(), calls]).toEqual([200, '[]', 2]);
  });
});

describe('services that are down', () => {
  it('503 at once, also for an upload, and the connection stays usable', async () => {
    const down = await startTestGateway({ dead: ['documents'] });
    try {
      const token = bearer(await down.tokens.user());
      for (const [method, path, body] of [
        ['GET', '/api/documents/my-documents', undefined],
        ['POST', '/api/documents/create', 'x'.repeat(2 * MiB)],
      ] as const) {
        const before = Date.now();
        const res = await fetch(down.url + path, { method, headers: token, body });
        expect(res.status).toBe(503);
        expect(await res.json()).toMatchObject({ code: 'service_unavailable' });
        expect(Date.now() - before).toBeLessThan(3_000);
      }
      down.services.cms = (_req, res) => res.end('[]');
      expect((await fetch(`${down.url}/api/cms/pages`, { headers: token })).status).toBe(200);
    } finally {
      await down.stop();
    }
  });
});
