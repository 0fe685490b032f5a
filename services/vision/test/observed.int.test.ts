/** What operators see of a check: its span, the queue and the workers. Never anything of the picture. */
import { natsUrlOf } from '@karaar/testing/backing/nats';
import { redisUrlOf } from '@karaar/testing/backing/redis';
import { startTracing, withTraceparent } from '@karaar/observability/telemetry';
import { startCollector, type Collector, type ReceivedSpan } from '@karaar/testing/servers/collector';
import { blankImage, faceImage } from '@karaar/testing/faces/faces';
import { testNats, testRedis } from '@karaar/testing/harness';
import { makeModels } from '@karaar/testing/faces/models';
import { serviceSecrets } from '@karaar/testing/service-world';
import { bearer, startTokenIssuer, type TokenIssuer } from '@karaar/testing/people/tokens';
import { until } from '@karaar/testing/until';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { validatePhoto } from '../src/features/validation/validation.service.ts';
import { JudgeFailed, PoolFull } from '../src/inference/pool.ts';

const TRACE = 'a'.repeat(32);
const [WORKERS, QUEUE] = [1, 2];

let issuer: TokenIssuer;
let collector: Collector;
let service: Awaited<ReturnType<typeof createApp>>;
let stopTracing: () => Promise<void>;
const secrets = serviceSecrets();

beforeAll(async () => {
  issuer = await startTokenIssuer();
  collector = await startCollector();
  stopTracing = startTracing({ service: 'vision', endpoint: collector.endpoint, ratio: 1, everyMs: 50 });
  const env = {
    NODE_ENV: 'test',
    SERVICE_NAME: 'vision',
    PORT: '0',
    INTERNAL_PORT: '0',
    ...secrets,
    LOG_LEVEL: 'silent',
    NATS_URL: natsUrlOf(await testNats(), 'vision', () => ''),
    REDIS_URL: redisUrlOf(await testRedis(), 'vision', (user) => user),
    AUTH_URL: new URL(issuer.jwksUrl).origin,
    MODELS_DIR: await makeModels(),
    VISION_WORKERS: String(WORKERS),
    VISION_QUEUE: String(QUEUE),
  };
  service = await createApp(readConfig(env));
  await service.warm;
}, 120_000);

afterAll(async () => {
  await service.app.close();
  await service.close();
  await stopTracing();
  await collector.stop();
  await issuer.stop();
});

/** Number of callers' spans so far, from which each gets its id. */
let asked = 0;

/** Requests a check in a caller's span. Returns the span's id and the answer's status. */
async function check(detectType: string, image: Buffer): Promise<{ caller: string; status: number }> {
  const caller = String(++asked).padStart(16, 'b');
  const { status } = await fetch(`${service.innerUrl}/internal/check?detect_type=${detectType}`, {
    method: 'POST',
    body: new Uint8Array(image),
    headers: {
      'content-type': 'image/jpeg',
      traceparent: `00-${TRACE}-${caller}-01`,
      ...bearer(String(secrets['DOCUMENTS_TO_VISION_SECRETS'])),
    },
  });
  return { caller, status };
}

/** Returns the span of a check, which is below the request's span in the caller's trace. */
async function spanOf(caller: string): Promise<ReceivedSpan> {
  const found = (): ReceivedSpan | undefined => {
    const request = collector.spans.find(({ parentSpanId }) => parentSpanId === caller);
    return collector.spans.find((one) => one.name === 'vision check' && one.parentSpanId === request?.spanId);
  };
  await until('the span of a check is sent', () => found() !== undefined);
  return found() as ReceivedSpan;
}

const valuesOf = ({ attributes }: ReceivedSpan): Record<string, string | number | undefined> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

async function gauge(name: string): Promise<number> {
  const metrics = await (await fetch(`${service.innerUrl}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(metrics)?.[1]);
}

it('a check is one span with the type of check, the reason, and the model runs', async () => {
  const face = valuesOf(await spanOf((await check('faces', await faceImage())).caller));
  expect(face).toMatchObject({
    'vision.detect_type': 'faces',
    'vision.reason': 'ok',
    'vision.runs.full': 1,
    'vision.runs.short': 1,
    'vision.runs.landmark': 1,
    'vision.waited_ms': expect.any(Number),
    'vision.took_ms': expect.any(Number),
  });
  expect(face['vision.took_ms']).toBeGreaterThan(0);
  expect(face).not.toHaveProperty(['vision.runs.eye']);

  const empty = valuesOf(await spanOf((await check('eyes', await blankImage())).caller));
  expect(empty).toMatchObject({
    'vision.detect_type': 'eyes',
    'vision.reason': 'no_eye',
    'vision.runs.eye': expect.any(Number),
  });
});

it('the span has no data about the picture, such as the place of a face or the description of its eyes', async () => {
  const span = await spanOf((await check('faces', await faceImage({ seed: 4 }))).caller);
  const keys = Object.keys(valuesOf(span)).map((key) => key.replace(/\.runs\..*/, '.runs'));
  expect([...new Set(keys)].sort()).toEqual([
    'vision.detect_type',
    'vision.reason',
    'vision.runs',
    'vision.took_ms',
    'vision.waited_ms',
  ]);
});

it('shows how many photos wait and how many workers are busy', async () => {
  expect(await gauge('vision_workers_ready')).toBe(WORKERS);
  expect([await gauge('vision_workers_busy'), await gauge('vision_queue_waiting')]).toEqual([0, 0]);
  const image = await faceImage({ width: 1920, height: 1080 });
  const most = { busy: 0, waiting: 0 };
  let over = false;
  const looking = (async () => {
    while (!over) {
      most.busy = Math.max(most.busy, await gauge('vision_workers_busy'));
      most.waiting = Math.max(most.waiting, await gauge('vision_queue_waiting'));
    }
  })();
  // Each caller repeats its request, so that the queue stays full long enough to be seen.
  const ask = async (): Promise<void> => {
    for (let i = 0; i < 4; i++) await check('faces', image);
  };
  await Promise.all(Array.from({ length: 6 }, ask));
  over = true;
  await looking;
  expect(most).toEqual({ busy: WORKERS, waiting: QUEUE });
  expect([await gauge('vision_workers_busy'), await gauge('vision_queue_waiting')]).toEqual([0, 0]);
});

it.each([
  [new PoolFull('full'), 'vision_busy'],
  [new JudgeFailed('A photo took longer than 9 ms'), 'vision_failed'],
])('the span of a check without a verdict has the reason: %s', async (fault, reason) => {
  const pool = { isFull: false, judge: () => Promise.reject(fault) };
  const caller = String(++asked).padStart(16, 'b');
  const photo = { file: new Uint8Array(), likeness: false, signal: new AbortController().signal };
  const judged = withTraceparent(`00-${TRACE}-${caller}-01`, () =>
    validatePhoto({ pool }, { ...photo, detectType: 'faces' }),
  );
  await expect(judged).rejects.toMatchObject({ status: 503, code: reason });
  const sent = (): ReceivedSpan | undefined => collector.spans.find((one) => one.parentSpanId === caller);
  await until('the span is sent', () => sent() !== undefined);
  expect(valuesOf(sent() as ReceivedSpan)).toMatchObject({
    'vision.detect_type': 'faces',
    'vision.reason': reason,
  });
});

it('counts how long photos wait and are judged', async () => {
  const before = await gauge('vision_wait_seconds_count');
  await check('eyes', await blankImage());
  expect(await gauge('vision_wait_seconds_count')).toBe(before + 1);
  const metrics = await (await fetch(`${service.innerUrl}/metrics`)).text();
  expect(metrics).toMatch(/vision_check_seconds_count\{[^}]*detect_type="eyes"[^}]*\} [1-9]/);
});
