/** The service as its callers meet it: real HTTP, real models, real Redis and NATS. */
import { natsUrlOf } from '@karaar/testing/backing/nats';
import { redisUrlOf } from '@karaar/testing/backing/redis';
import { eyeAgreement, type EyeLikeness } from '@karaar/faces/eye-likeness';
import { randomBytes } from 'node:crypto';
import { createLogger } from '@karaar/observability/logging';
import { createRedis, redisReady, type Redis } from '@karaar/storage/redis';
import { blankImage, faceImage, idCardPng, lookalikePng, signaturePng } from '@karaar/testing/faces/faces';
import { testNats, testRedis } from '@karaar/testing/harness';
import { makeModels } from '@karaar/testing/faces/models';
import { refused } from '@karaar/testing/refused';
import { serviceSecrets } from '@karaar/testing/service-world';
import { bearer, startTokenIssuer, type TokenIssuer } from '@karaar/testing/people/tokens';
import sharp from 'sharp';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { animatedWebp, deepPng, photoFollowedBy, pngBomb, pngClaiming } from '../testing/hostile-images.ts';

const VALIDATE = '/documents/verification/validate';
const sessionId = 'a-live-session';

let issuer: TokenIssuer;
let redis: Redis;
let service: Awaited<ReturnType<typeof createApp>>;
let token: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  const redisUrl = await testRedis();
  redis = createRedis({
    url: redisUrl,
    name: 'test',
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  await redisReady(redis);
  await redis.set(`session:${sessionId}`, 'active');
  env = {
    NODE_ENV: 'test',
    SERVICE_NAME: 'vision',
    PORT: '0',
    INTERNAL_PORT: '0',
    ...serviceSecrets(),
    LOG_LEVEL: 'silent',
    NATS_URL: natsUrlOf(await testNats(), 'vision', () => ''),
    REDIS_URL: redisUrlOf(redisUrl, 'vision', (user) => user),
    AUTH_URL: new URL(issuer.jwksUrl).origin,
    MODELS_DIR: await makeModels(),
    VISION_WORKERS: '1',
    VISION_QUEUE: '2',
  };
  service = await createApp(readConfig(env));
  await service.warm;
  token = await issuer.user({ sessionId });
}, 120_000);

afterAll(async () => {
  await service.app.close();
  await service.close();
  redis.disconnect();
  await issuer.stop();
});

interface CheckRequest {
  detectType?: string | undefined;
  image?: Buffer;
  filename?: string;
  as?: string | null;
}

function validate({
  detectType = 'faces',
  image,
  filename = 'capture.jpg',
  as = token,
}: CheckRequest): Promise<Response> {
  const form = new FormData();
  if (detectType) form.set('detect_type', detectType);
  if (image) form.set('image', new Blob([new Uint8Array(image)]), filename);
  const headers = as === null ? {} : bearer(as);
  return fetch(service.url + VALIDATE, { method: 'POST', body: form, headers });
}

function check(
  query: string,
  image: Buffer,
  mime = 'image/jpeg',
  as: string | null = String(env['DOCUMENTS_TO_VISION_SECRETS']),
): Promise<Response> {
  return fetch(`${service.innerUrl}/internal/check${query}`, {
    method: 'POST',
    body: new Uint8Array(image),
    headers: { 'content-type': mime, ...(as === null ? {} : bearer(as)) },
  });
}

describe('validating a capture', () => {
  it('[CAPTURE-036] accepts detect_type and image from any signed-in user and answers ok', async () => {
    const stranger = await issuer.user({ sessionId, userId: 'someone-else', charId: 'ZZZZ9999' });
    for (const [detectType, as] of [
      ['faces', token],
      ['eyes', stranger],
    ] as const) {
      const answer = await validate({ detectType, image: await faceImage(), as });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(await answer.json()).toMatchObject({ ok: true, boxes: expect.any(Array) });
    }
  });

  it('[CAPTURE-037] with faces answers ok for an image with a face and not for one without', async () => {
    expect(
      await (await validate({ image: await faceImage({ width: 1280, height: 720 }) })).json(),
    ).toMatchObject({
      ok: true,
      boxes: [{ x: expect.any(Number), y: expect.any(Number), score: expect.any(Number) }],
    });
    for (const image of [
      await blankImage(),
      await signaturePng(),
      await idCardPng(),
      await faceImage({ count: 0 }),
    ]) {
      const answer = await validate({ image });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ ok: false, reason: 'no_face', boxes: [] });
    }
  });

  it('[CAPTURE-038] with eyes answers ok for an image with an open eye and not for one without', async () => {
    const answerFor = async (image: Buffer): Promise<unknown> =>
      (await validate({ detectType: 'eyes', image })).json();
    expect(await answerFor(await faceImage({ size: 1.2 }))).toMatchObject({ ok: true });
    expect(await answerFor(await blankImage())).toMatchObject({ ok: false, reason: 'no_eye' });
    expect(await answerFor(await faceImage({ eyes: 'closed' }))).toMatchObject({
      ok: false,
      reason: 'eyes_closed',
    });
  });

  it('requires a face around an apparent eye: two round lamps are refused', async () => {
    const answer = await validate({ detectType: 'eyes', image: await lookalikePng('lamps') });
    expect(await answer.json()).toMatchObject({ ok: false, reason: 'no_eye' });
  });

  it.each(['fingers', '', 'FACES'])(
    '[CAPTURE-039] with detect_type %j answers 422 with detail',
    async (detectType) => {
      const answer = await validate({ detectType, image: await faceImage() });
      refused({ status: answer.status, body: await answer.json() }, 422, 'detect_type');
    },
  );

  it('[CAPTURE-040] without an image answers 422 with detail', async () => {
    const answer = await validate({});
    refused({ status: answer.status, body: await answer.json() }, 422, 'image');
  });

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['text', () => Buffer.from('not a picture at all')],
    ['random bytes', () => randomBytes(50_000)],
    [
      'an SVG named .png',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    [
      'a GIF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
          .gif()
          .toBuffer(),
    ],
    ['an animated WebP', animatedWebp],
    ['a PNG bomb of 100 megapixels', () => pngBomb(10_000, 10_000)],
    [
      'a JPEG that says it is a PNG',
      async () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), await faceImage()]),
    ],
    ['half a JPEG', async () => (await faceImage()).subarray(0, 15_000)],
    ['half a PNG', async () => (await faceImage({ format: 'png' })).subarray(0, 60_000)],
    ['only the head of a JPEG', () => Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')],
    ['a PNG of 60,000 × 60,000 pixels', () => pngClaiming(60_000, 60_000)],
    ['a PNG whose pixels are missing', () => pngClaiming(800, 600)],
  ])('[CAPTURE-040] with %s answers 422 with detail within five seconds', async (_, make) => {
    const started = performance.now();
    const answer = await validate({ image: await make(), filename: 'photo.png' });
    refused({ status: answer.status, body: await answer.json() }, 422, 'image');
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('turns a photo upright by its EXIF orientation', async () => {
    const lying = await sharp(await faceImage())
      .rotate(90)
      .withMetadata({ orientation: 8 })
      .jpeg()
      .toBuffer();
    const [box] = (
      (await (await validate({ image: lying })).json()) as { boxes: { x: number; width: number }[] }
    ).boxes;
    // In fractions of the upright 640 × 480: the face is in the middle.
    expect(box!.x + box!.width / 2).toBeCloseTo(0.5, 1);
  });

  it('accepts unusual pictures: one pixel, transparent, grey, CMYK, 16 bit, with trailing data', async () => {
    const face = await faceImage({ format: 'png' });
    const answerFor = async (image: Buffer): Promise<unknown> => (await validate({ image })).json();
    const pixel = sharp({ create: { width: 1, height: 1, channels: 4, background: '#0000' } });
    expect(await answerFor(await pixel.png().toBuffer())).toMatchObject({ ok: false, reason: 'no_face' });
    expect(await answerFor(await sharp(face).ensureAlpha(0.9).png().toBuffer())).toMatchObject({ ok: true });
    expect(
      await answerFor(await sharp(face).greyscale().toColourspace('b-w').jpeg().toBuffer()),
    ).toMatchObject({
      ok: true,
    });
    expect(await answerFor(await sharp(face).toColourspace('cmyk').jpeg().toBuffer())).toMatchObject({
      ok: true,
    });
    expect(await answerFor(await deepPng())).toMatchObject({ ok: true });
    // Data after the picture does no harm: the file is decoded, never served or run.
    for (const tail of ['<script>alert(1)</script>', 'PK\u0003\u0004', '%PDF-1.7\n'])
      expect(await answerFor(await photoFollowedBy(tail))).toMatchObject({ ok: true });
  });

  it('answers 401 without a live user token and 403 to an admin', async () => {
    const image = await faceImage();
    for (const as of [
      null,
      'rubbish',
      await issuer.expired({ sessionId }),
      await issuer.forged({ sessionId }),
    ]) {
      const answer = await validate({ image, as });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ detail: expect.any(String) });
    }
    await redis.set('session:over', 'revoked');
    expect((await validate({ image, as: await issuer.user({ sessionId: 'over' }) })).status).toBe(401);
    expect((await validate({ image, as: await issuer.admin({ sessionId }) })).status).toBe(403);
  });
});

describe('the internal check for the documents service', () => {
  it('answers like the public route, and also describes the eyes', async () => {
    const image = await faceImage();
    const likenesses: EyeLikeness[][] = [];
    for (const detectType of ['faces', 'eyes']) {
      const answer = await check(`?detect_type=${detectType}`, image);
      expect(answer.status).toBe(200);
      const { eyes, ...rest } = (await answer.json()) as { eyes: EyeLikeness[] };
      expect(rest).toEqual(await (await validate({ detectType, image })).json());
      likenesses.push(eyes);
    }
    const [face = [], eye = []] = likenesses;
    expect([face.length, eye.length]).toEqual([18, 2]);
    expect(eyeAgreement(face, eye)).toBeGreaterThan(0.9);
  });

  it("is refused without the credential of documents: none, a wrong one, another caller's, or a user's token", async () => {
    const image = await faceImage();
    const others = ['WALLET_TO_DOCUMENTS_SECRETS', 'PAYMENTS_TO_DOCUMENTS_SECRETS'].map((name) => env[name]);
    for (const as of [null, 'x'.repeat(43), ...others.map(String), token]) {
      const answer = await check('?detect_type=faces', image, 'image/jpeg', as);
      expect([as, answer.status]).toEqual([as, 401]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('is not on the public port, nor are the metrics', async () => {
    const headers = { 'content-type': 'image/jpeg', ...bearer(String(env['DOCUMENTS_TO_VISION_SECRETS'])) };
    const body = new Uint8Array(await faceImage());
    const response = await fetch(`${service.url}/internal/check?detect_type=faces`, {
      method: 'POST',
      headers,
      body,
    });
    expect(response.status).toBe(404);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });

  it('returns a verdict for a file that is not an image', async () => {
    for (const bytes of [Buffer.from('no image'), Buffer.alloc(0)]) {
      const answer = await check('?detect_type=faces', bytes);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ ok: false, reason: 'not_an_image', boxes: [] });
    }
  });

  it('refuses a wrong query, no body, another content type and too many bytes', async () => {
    const image = await faceImage();
    expect((await check('', image)).status).toBe(422);
    expect((await check('?detect_type=ears', image)).status).toBe(422);
    const noBody = await fetch(`${service.innerUrl}/internal/check?detect_type=faces`, {
      method: 'POST',
      headers: bearer(String(env['DOCUMENTS_TO_VISION_SECRETS'])),
    });
    expect(noBody.status).toBe(422);
    expect((await check('?detect_type=faces', image, 'text/plain')).status).toBe(415);
    expect((await check('?detect_type=faces', Buffer.alloc(11 * 1024 * 1024))).status).toBe(413);
  });

  it('answers 503 with Retry-After to photos that exceed the queue, and judges the others', async () => {
    const image = await faceImage({ width: 1920, height: 1080 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => check('?detect_type=faces', image)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ code: 'vision_busy', detail: expect.any(String) });
    }
    const judged = answers.filter(({ status }) => status === 200);
    // One in the worker, two in the queue.
    expect(judged.length).toBeGreaterThanOrEqual(3);
    for (const answer of judged) expect(await answer.json()).toMatchObject({ ok: true });
    expect((await check('?detect_type=faces', image)).status).toBe(200);
  });
});

describe('the process', () => {
  it('bounds its memory and goes on after many hostile images', async () => {
    const [bomb, face] = [pngBomb(10_000, 10_000), await faceImage()];
    const hostile = [bomb, pngClaiming(60_000, 60_000), await animatedWebp(), face.subarray(0, 9_000)];
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 10; round++)
      for (const image of hostile)
        expect(await (await check('?detect_type=faces', image)).json()).toMatchObject({
          ok: false,
          reason: 'not_an_image',
        });
    // Ten decoded bombs would be 3 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    expect(await (await check('?detect_type=faces', face)).json()).toMatchObject({ ok: true });
  });

  it('counts verdicts by detect_type and reason, and times the models', async () => {
    await check('?detect_type=eyes', await blankImage());
    const metrics = await (await fetch(`${service.innerUrl}/metrics`)).text();
    expect(metrics).toMatch(/vision_verdicts_total\{[^}]*detect_type="eyes"[^}]*reason="no_eye"[^}]*\} \d/);
    for (const model of ['short', 'full', 'landmark', 'attention', 'eye'])
      expect(metrics).toMatch(new RegExp(`vision_model_runs_total\\{[^}]*model="${model}"[^}]*\\} [1-9]`));
    expect(metrics).toMatch(/vision_queue_waiting(\{[^}]*\})? 0/);
  });

  it('stays responsive while photos are judged', async () => {
    const image = await faceImage({ width: 1920, height: 1080 });
    const judging = Promise.all([1, 2, 3].map(() => check('?detect_type=faces', image)));
    const probe = fetch(`${service.url}/healthz`).then(({ status }) => status);
    expect(await Promise.race([judging, probe])).toBe(200);
    await judging;
  });

  it('becomes ready only when its models are loaded', async () => {
    const fresh = await createApp(readConfig(env));
    try {
      const early = await fetch(`${fresh.url}/readyz`);
      expect(early.status).toBe(503);
      expect(await early.json()).toMatchObject({ checks: { models: 'failed' } });
      await fresh.warm;
      expect((await fetch(`${fresh.url}/readyz`)).status).toBe(200);
    } finally {
      await fresh.app.close();
      await fresh.close();
    }
  });
});
