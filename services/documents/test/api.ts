/** The documents service for tests over HTTP: real backing services, with stand-ins for vision and auth. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DetectType } from '@karaar/contracts/vision/http';
import { createInternalRpcClient, type Ask } from '@karaar/service/internal-rpc';
import { blobConfigFromEnv, blobEnv, createBlobStore, type BlobStore } from '@karaar/storage/blobs';
import { loadConfig } from '@karaar/base/config';
import { serviceEnv } from '@karaar/service';
import { startBrokerAdmin } from '@karaar/bus';
import { idCardPng, signaturePng } from '@karaar/testing/faces/faces';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import sharp from 'sharp';
import { Type } from 'typebox';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { textPdf } from '@karaar/testing/made-up/files';
import { startTestConverter } from '@karaar/testing/servers/converter';
import { startPayments, type PaymentsStandIn } from './money/payments-stand-in.ts';
import { smsStandIn, type SmsStandIn } from '@karaar/testing/providers/sms';

export type Answer = { status: number; body: Record<string, unknown> };
export type Api = {
  ask: Ask;
  world: ServiceWorld;
  url: string;
  service: Awaited<ReturnType<typeof createApp>>;
  /** The results that vision returns from now on; `down` closes the connection. */
  vision: { verdict: 'ok' | 'no_face' | 'no_eye' | 'down'; eyes?: Record<DetectType, number[][]> };
  payments: PaymentsStandIn;
  /** The texts that the SMS provider has accepted, and its behaviour from now on. */
  sms: SmsStandIn;
  call: (user: WorldUser | undefined, method: string, path: string, body?: unknown) => Promise<Answer>;
  send: (user: WorldUser, path: string, form: FormData, method?: string) => Promise<Answer>;
  /** Creates a document of `owner` with one PDF; returns its id and code. */
  create: (owner: WorldUser, change?: (form: FormData) => void) => Promise<{ id: string; code: string }>;
  stop: () => Promise<void>;
};

/**
 * Starts the service with its own database. `env` adds variables, `overrides` replace parts of the context.
 * The service uses the converter at `CONVERTER_URL`, else the one shared by all tests (shared-converter),
 * else it starts one.
 */
export async function startApi(
  name: string,
  env: Record<string, string> | ((world: ServiceWorld) => Promise<Record<string, string>>) = {},
  overrides: Parameters<typeof createApp>[1] = {},
): Promise<Api> {
  const world = await startServiceWorld(name, { service: 'documents', startBrokerAdmin });
  const added = typeof env === 'function' ? await env(world) : env;
  const vision: Api['vision'] = { verdict: 'ok' };
  const visionServer = await visionStandIn(
    vision,
    String({ ...world.env, ...added }['DOCUMENTS_TO_VISION_SECRETS']),
  );
  const sms = await smsStandIn();
  const payments = await startPayments(world.natsUrl);
  const given = added['CONVERTER_URL'] ?? process.env['TEST_CONVERTER_URL'];
  const converter = given || overrides.renderer ? undefined : await startTestConverter();
  const service = await createApp(
    readConfig({
      ...world.env,
      ...sms.env,
      VISION_INTERNAL_URL: `http://127.0.0.1:${(visionServer.address() as AddressInfo).port}`,
      PUBLIC_URL: 'http://localhost:8080',
      CONVERTER_URL: converter?.url ?? given ?? 'http://127.0.0.1:9',
      WORK_DIR: `${world.folder}/work`,
      STATE_DIR: `${world.folder}/state`,
      // In tests a few users create thousands of agreements.
      INVITATIONS_PER_USER_AND_DAY: '1000000',
      TEXTS_PER_RECEIVER_AND_DAY: '1000000',
      ...added,
    }),
    overrides,
  );
  const { url } = service;
  const paymentsSecret = String({ ...world.env, ...added }['PAYMENTS_TO_DOCUMENTS_SECRETS']);
  const call: Api['call'] = (user, method, path, body) =>
    request(`${url}${path}`, {
      method,
      headers: { ...user?.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const send: Api['send'] = (user, path, form, method = 'POST') =>
    request(`${url}${path}`, { method, headers: user.headers, body: form });
  return {
    world,
    url,
    service,
    ask: createInternalRpcClient(service.innerUrl, [paymentsSecret], service.foundation.logger),
    vision,
    payments,
    sms,
    call,
    send,
    create: async (owner, change) => {
      const form = await documentForm();
      change?.(form);
      const { status, body } = await send(owner, '/documents/create', form);
      if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
      return { id: String(body['document_id']), code: String(body['document_code']) };
    },
    stop: async () => {
      await service.app.close();
      await service.close();
      visionServer.close();
      await payments.stop();
      await converter?.stop();
      await sms.stop();
      await world.stop();
    },
  };
}

export const storeOf = (env: ServiceWorld['env']): BlobStore =>
  createBlobStore(blobConfigFromEnv(loadConfig(Type.Object({ ...serviceEnv, ...blobEnv }), env)));
export const blobsOf = ({ world }: Api): BlobStore => storeOf(world.env);

const MOST_TRIES = 20;

/**
 * Repeats a request after an `overloaded` refusal, as Karaar's client does: the refusal precedes any effect.
 * Waits for the time in the response and logs the wait. The tests share a process with the service, and Jest
 * blocks that process for seconds while it compiles modules.
 */
async function request(url: string, init: RequestInit): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : { text };
    if (body['code'] !== 'overloaded' || attempt === MOST_TRIES) return { status: response.status, body };
    const seconds = Number(response.headers.get('retry-after'));
    process.stderr.write(
      `${init.method} ${new URL(url).pathname} was refused as overloaded; again in ${seconds} s\n`,
    );
    await sleep(seconds * 1_000);
  }
}

export const FACE = { x: 0.25, y: 0.125, width: 0.5, height: 0.375 };

function visionStandIn(vision: Api['vision'], secret: string): Promise<Server> {
  const server = createServer((req, res) => {
    req.resume().on('end', () => {
      if (vision.verdict === 'down') return res.destroy();
      if (req.headers.authorization !== `Bearer ${secret}`) return res.writeHead(401).end();
      const detect = new URL(req.url ?? '', 'http://vision').searchParams.get('detect_type');
      const ok = !(
        (vision.verdict === 'no_face' && detect === 'faces') ||
        (vision.verdict === 'no_eye' && detect === 'eyes')
      );
      res.setHeader('content-type', 'application/json');
      const eyes = ok ? vision.eyes?.[detect === 'eyes' ? 'eyes' : 'faces'] : undefined;
      const reason = ok ? {} : { reason: vision.verdict };
      const boxes = ok && detect === 'faces' ? [{ ...FACE, score: 0.9, landmarks: [] }] : [];
      res.end(JSON.stringify({ ok, ...reason, boxes, ...(eyes ? { eyes } : {}) }));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};
const photo = once(() =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#c98f6b' } })
    .jpeg()
    .toBuffer(),
);
const signature = once(signaturePng);
const fingerprint = once(() => idCardPng('THUMB'));
const rentPdf = once(() => textPdf('The rent is 10,000 rupees'));

const blob = (bytes: Uint8Array, type: string): Blob => new Blob([new Uint8Array(bytes)], { type });

/** The images of a verification as a form; `thumb` adds the fingerprint. */
export async function verificationForm(
  fields: Record<string, string> = {},
  thumb = false,
): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('profile_pic', blob(await photo(), 'image/jpeg'), 'profile_capture.jpg');
  form.append('eye', blob(await photo(), 'image/jpeg'), 'eye_capture.jpg');
  form.append('sign', blob(await signature(), 'image/png'), 'signature.png');
  if (thumb) form.append('thumb', blob(await fingerprint(), 'image/png'), 'thumb.png');
  return form;
}

type Pdf = { name: string; bytes: Uint8Array };

/** The form of a new document. @param file its raw document; null for none */
export async function documentForm(
  fields: Record<string, string> = {},
  file?: Pdf | null,
): Promise<FormData> {
  const form = await verificationForm({
    name: 'Rent agreement',
    location: 'Pune',
    start_date: '2026-03-01',
    end_date: '2026-03-07',
    description: 'Two rooms',
    page_details: JSON.stringify([{ page_no: 1, description: 'Terms' }]),
    ...fields,
  });
  const { name, bytes } = file ?? { name: 'rent.pdf', bytes: await rentPdf() };
  if (file !== null) form.append('raw_documents', blob(bytes, 'application/pdf'), name);
  return form;
}

/** The same form for a draft: without images. */
export async function draftForm(fields: Record<string, string> = {}, file?: Pdf | null): Promise<FormData> {
  const form = await documentForm(fields, file);
  for (const image of ['profile_pic', 'eye', 'sign']) form.delete(image);
  return form;
}

export { textPdf };
