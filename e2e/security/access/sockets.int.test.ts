/** The check of sockets, against sockets without its guards. */
import { createServer, type Server } from 'node:http';
import type { Target } from '../check.ts';
import { trySockets, type Wire } from './sockets.ts';

let server: Server;
let url: string;
/** The product's answer to every request. */
let answer: { status: number; body: unknown };

beforeAll(async () => {
  server = createServer((req, res) => {
    req.resume();
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** A socket whose answers come from a function. */
const wire = (reply: (packet: string) => string | undefined) => (): Wire => {
  const answers = ['0{}'];
  return {
    say: (packet) => {
      const said = reply(String(packet));
      if (said !== undefined) answers.push(said);
    },
    next: async (beginning) => {
      const found = answers.findIndex((one) => one.startsWith(beginning));
      return found === -1 ? undefined : answers.splice(found, 1)[0];
    },
    isOpen: true,
    close: () => undefined,
  };
};

describe('the check of sockets', () => {
  /** Admits one token, accepts only an empty list, and answers a ping. */
  const good = (packet: string): string | undefined => {
    if (packet === '40{"token":"good"}') return '40{"sid":"x"}';
    if (packet.startsWith('40')) return '44{"message":"not_authenticated"}';
    if (packet === '2') return '3';
    const [, id] = /^42(\d+)\["(typing|delivered|watch)"/.exec(packet) ?? [];
    if (id === undefined) return undefined;
    return `43${id}[{"ok":${packet.includes('{"user_ids":[]}')}}]`;
  };
  const withUser = (): Target => ({
    url,
    token: async () => 'good',
    inside: { url, postgresUrl: '', natsUrl: '', redisUrl: '', stateDir: '', services: {}, inner: {} },
  });
  const found = async (reply: (packet: string) => string | undefined) =>
    (await trySockets(withUser(), wire(reply))).map(({ where, what }) => `${where}: ${what}`).join('\n');

  beforeEach(() => void (answer = { status: 200, body: { status: 'ok' } }));

  it('finds nothing in a socket that refuses invalid input', async () => {
    expect(await found(good)).toBe('');
  });

  it('finds a socket that does not admit its user', async () => {
    expect(await found((packet) => (packet.startsWith('40') ? '44{}' : good(packet)))).toContain(
      'the socket for typing: was not let in',
    );
  });

  it('finds a socket that accepts anything, sends internal details, or stops answering', async () => {
    expect(await found((packet) => good(packet)?.replace('false', 'true'))).toContain('watch: takes null');
    const telling = (packet: string) => good(packet)?.replace('false', 'false,"code":"connect ECONNREFUSED"');
    expect(await found(telling)).toMatch(/typing: sends internal details/);
    const failing = (packet: string) => good(packet)?.replace('false', 'false,"code":"internal"');
    expect(await found(failing)).toMatch(/delivered: fails at/);
    let isDead = false;
    const text = await found((packet) => {
      isDead ||= packet.includes('__proto__');
      return isDead && packet.startsWith('42') ? undefined : good(packet);
    });
    expect(text).toContain('after __proto__: the socket answers nothing any more');
    expect(text).toContain('afterwards: a socket is not answered');
    answer = { status: 503, body: { status: 'degraded' } };
    expect(await found(good)).toBe('afterwards: the product is degraded');
  });
});
