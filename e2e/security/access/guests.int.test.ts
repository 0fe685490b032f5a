/** The checks of access, against a product that admits every caller. */
import { createServer, type Server } from 'node:http';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import { closed, Matrix } from '../../src/authorization/matrix.ts';
import { tryMatrix } from './authorization.ts';
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
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function matrix(): Matrix {
  const person = {
    userId: 'u',
    charId: 'c',
    phone: '+910000000000',
    call: async () => ({ status: 200, body: {} }),
  };
  let looked = 0;
  return new Matrix({
    product: { url, services: Object.fromEntries(SERVICE_NAMES.map((name) => [name, `${url}/api`])) },
    who: {
      token: async () => 'token',
      nobodies: async () => ({ anonymous: undefined, forged: 'forged' }),
      stop: async () => undefined,
    },
    stage: {
      ...Object.fromEntries(
        ['documentId', 'draftId', 'paymentId', 'orderId', 'sessionId', 'captureNonce', 'message'].map(
          (name) => [name, name],
        ),
      ),
      owner: person,
      guest: person,
      stranger: person,
      images: {},
      // Each time something of the owner has changed.
      lookAround: async () => String((looked += 1)),
    } as never, // the matrix reads only these members
    user: { userId: 'u', audience: 'user' },
    admin: { userId: 'a', audience: 'admin' },
    deactivated: async () => 'gone',
  });
}

describe('the matrix', () => {
  it('finds every route of a product that admits every caller', async () => {
    answer = { status: 200, body: {} };
    const found = await tryMatrix(matrix());
    const of = (where: string) => found.filter((one) => one.where === where).map(({ what }) => what);
    for (const way of ['through the gateway', 'past the gateway']) {
      expect(of(`nobodies ${way}`)).toHaveLength(closed.length * 2);
      expect(of(`wrongAudience ${way}`)).toHaveLength(closed.length);
      expect(of(`deactivated ${way}`)).toHaveLength(
        closed.filter(({ contract }) => contract.access === 'user').length,
      );
      expect(of(`roles ${way}`).length).toBeGreaterThan(10);
    }
    const strangers = of('another user’s object');
    expect(strangers.length).toBeGreaterThan(20);
    expect(strangers).toContain('the owner does not see the same things any more');
  });

  it('finds every route of a product that refuses every caller, by audience or by role', async () => {
    answer = { status: 403, body: { detail: 'No', code: 'wrong_audience' } };
    const found = await tryMatrix(matrix());
    const count = (where: string) => found.filter((one) => one.where === where).length;
    expect(count('rightAudience past the gateway')).toBe(closed.length);
    expect(count('open through the gateway')).toBeGreaterThan(10);
    expect(count('wrongAudience through the gateway')).toBe(0);
    answer = { status: 403, body: { detail: 'No', code: 'role_forbidden' } };
    const byRole = (await tryMatrix(matrix())).filter(({ where }) => where.startsWith('roles'));
    expect(byRole.some(({ what }) => what.includes('super-admin got 403'))).toBe(true);
  });
});

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
    token: async (access) => (access === 'user' ? 'good' : 'of an admin'),
    inside: { url, postgresUrl: '', natsUrl: '', redisUrl: '', stateDir: '', services: {}, inner: {} },
  });
  const found = async (reply: (packet: string) => string | undefined) =>
    (await trySockets(withUser(), wire(reply))).map(({ where, what }) => `${where}: ${what}`).join('\n');

  beforeEach(() => void (answer = { status: 200, body: { status: 'ok' } }));

  it('finds nothing in a socket that refuses invalid input', async () => {
    expect(await found(good)).toBe('');
  });

  it('finds a socket that admits every caller', async () => {
    const text = await found((packet) => (packet.startsWith('40') ? '40{}' : good(packet)));
    for (const nobody of ['without a token', 'with an empty token', 'with alg:none', "with an admin's token"])
      expect(text).toContain(`a socket ${nobody}: was let in`);
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
