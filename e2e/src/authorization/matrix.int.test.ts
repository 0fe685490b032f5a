/** The matrix finds a product that admits every caller, and one that refuses every caller. */
import { createServer, type Server } from 'node:http';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import { closed, Matrix } from './matrix.ts';

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

const WAYS = [
  { way: 'through the gateway', direct: false },
  { way: 'past the gateway', direct: true },
];

it.each(WAYS)('$way it finds every route of a product that admits every caller', async ({ direct }) => {
  answer = { status: 200, body: {} };
  const all = matrix();
  expect(await all.nobodies(direct)).toHaveLength(closed.length * 2);
  expect(await all.wrongAudience(direct)).toHaveLength(closed.length);
  expect(await all.deactivated(direct)).toHaveLength(
    closed.filter(({ contract }) => contract.access === 'user').length,
  );
  expect((await all.roles(direct)).length).toBeGreaterThan(10);
});

it('finds the routes that give a stranger another user’s object', async () => {
  answer = { status: 200, body: {} };
  const faults = await matrix().crossUserFaults();
  expect(faults.length).toBeGreaterThan(20);
  expect(faults).toContain('the owner does not see the same things any more');
});

it('finds every route of a product that refuses every caller, by audience or by role', async () => {
  const all = matrix();
  answer = { status: 403, body: { detail: 'No', code: 'wrong_audience' } };
  expect(await all.rightAudience(true)).toHaveLength(closed.length);
  expect((await all.open(false)).length).toBeGreaterThan(10);
  expect(await all.wrongAudience(false)).toEqual([]);
  answer = { status: 403, body: { detail: 'No', code: 'role_forbidden' } };
  for (const { direct } of WAYS)
    expect((await all.roles(direct)).some((fault) => fault.includes('super-admin got 403'))).toBe(true);
});
