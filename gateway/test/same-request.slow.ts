/** For any legal HTTP request, the service gets the request that was sent, or the gateway refuses it. */
import { answersIn, openWire, type Wire } from '@karaar/testing/http-wire';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import fc from 'fast-check';
import fastify from 'fastify';
import { bytesOf, generatedRequest, type Generated } from './generated-requests.ts';
import { startTestGateway, type TestGateway } from './harness.ts';

const REQUESTS = 20_000;
const AT_ONCE = 10;
const PATIENCE_MS = 2_000;
/**
 * Time limit for the search for a failing request and its smallest form: many times what a busy machine
 * needs.
 */
const TIME_MS = 420_000;

/** Headers of one connection, and headers that the gateway sets: they differ between the two paths. */
const OF_THE_WAY = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
  ...[
    'content-length',
    'transfer-encoding',
    'forwarded',
    'x-real-ip',
    'x-forwarded-for',
    'x-forwarded-proto',
  ],
  ...['x-forwarded-host', 'x-request-id', 'traceparent', 'via'],
  // Some servers treat these as another request, so a gateway may drop them.
  ...['x-http-method-override', 'x-original-url'],
]);

type Understood = {
  method: string;
  url: string;
  query: unknown;
  headers: Record<string, unknown>;
  body: string;
};

const service = fastify({ bodyLimit: 16 * 1024 * 1024, exposeHeadRoutes: false });
let gw: TestGateway;
let direct: string;
const authorizations: Partial<Record<Generated['access'], string>> = {};

beforeAll(async () => {
  service.removeAllContentTypeParsers();
  service.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body));
  service.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    handler: (req, reply) => {
      const { method, query, headers, body } = req;
      const bytes = Buffer.isBuffer(body) ? body.toString('latin1') : '';
      const understood: Understood = { method, url: req.raw.url ?? '', query, headers, body: bytes };
      const json = JSON.stringify(understood);
      // An answer to HEAD has no body for it.
      if (method === 'HEAD') reply.header('x-understood', Buffer.from(json).toString('base64'));
      return reply.type('application/octet-stream').send(json);
    },
  });
  direct = await service.listen({ port: 0, host: '127.0.0.1' });
  const room = '1000000000';
  gw = await startTestGateway({
    env: {
      RATE_LIMIT_PER_MINUTE: room,
      RATE_LIMIT_SENSITIVE_PER_MINUTE: room,
      RATE_LIMIT_HEAVY_PER_MINUTE: room,
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, direct])),
    },
  });
  authorizations.user = `Bearer ${await gw.tokens.user()}`;
  authorizations.admin = `Bearer ${await gw.tokens.admin()}`;
});
afterAll(async () => {
  await gw.stop();
  await service.close();
});

class Caller {
  readonly #url: string;
  #wire: Wire | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the request as the service parsed it, or the status of a refusal. */
  async ask(bytes: Buffer, isHead: boolean): Promise<Understood | number> {
    if (this.#wire === undefined || this.#wire.isClosed) this.#wire = await openWire(this.#url);
    const wire = this.#wire;
    wire.forget();
    wire.write(bytes);
    const read = () => answersIn(wire.received, { firstHasNoBody: isHead, ended: wire.isClosed });
    await wire.until(() => wire.isClosed || read().answers.length > 0, PATIENCE_MS);
    const { answers, rest } = read();
    const [answer] = answers;
    if (answer === undefined || answers.length > 1 || rest.length > 0) {
      this.close();
      throw new Error(
        `${answers.length} answers, ${rest.length} bytes more: ${rest.toString('latin1', 0, 200)}`,
      );
    }
    if (answer.headers['connection'] === 'close' || answer.status >= 400) this.close();
    if (answer.status >= 400) return answer.status;
    const header = answer.headers['x-understood'];
    return JSON.parse(
      header === undefined ? answer.body.toString() : Buffer.from(header, 'base64').toString(),
    ) as Understood;
  }

  close(): void {
    this.#wire?.close();
    this.#wire = undefined;
  }
}

/**
 * Spaces around a value are not part of it; a header that comes twice, the second time empty, ends in one.
 */
const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** Removes headers that depend on the path. */
const ofTheSender = ({ headers, ...rest }: Understood) => ({
  ...rest,
  headers: Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_WAY.has(name))
      .map(([name, value]) => [name, trimmed(value)]),
  ),
});

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

it(`${REQUESTS.toLocaleString('en-IN')} generated requests: the same method, path, headers and body as sent directly, or a refusal`, async () => {
  const pairs = Array.from({ length: AT_ONCE }, () => ({
    gateway: new Caller(gw.url),
    service: new Caller(direct),
  }));
  let same = 0;
  let refused = 0;
  const holds = async (request: Generated, at: number): Promise<void> => {
    const pair = pairs[at % AT_ONCE];
    if (pair === undefined) throw new Error('no connection');
    const isHead = request.method === 'HEAD';
    const authorization = authorizations[request.access];
    const through = await pair.gateway.ask(
      bytesOf({ ...request, path: `/api${request.path}` }, authorization),
      isHead,
    );
    const plain = await pair.service.ask(bytesOf(request, authorization), isHead);
    if (typeof through === 'number') {
      if (!isRefusal(through)) throw new Error(`The gateway answered ${through}`);
      refused += 1;
    } else {
      if (typeof plain === 'number')
        throw new Error(`The service refused with ${plain} a request that the gateway passed on`);
      expect(ofTheSender(through)).toEqual(ofTheSender(plain));
      same += 1;
    }
  };
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(generatedRequest, { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (requests) => {
          // All must finish before the next ones use their connections.
          const results = await Promise.allSettled(requests.map(holds));
          for (const result of results) if (result.status === 'rejected') throw result.reason;
        },
      ),
      { numRuns: REQUESTS / AT_ONCE, interruptAfterTimeLimit: TIME_MS, markInterruptAsFailure: true },
    );
  } finally {
    for (const pair of pairs) for (const caller of Object.values(pair)) caller.close();
  }
  // A gateway that refuses all requests would prove nothing.
  expect(same / (same + refused)).toBeGreaterThan(0.8);
}, 480_000);
