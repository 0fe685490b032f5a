import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { AccountAct } from '@karaar/contracts/step-up';
import { startBrokerAdmin } from '@karaar/bus';
import { idCardPng } from '@karaar/testing/faces/faces';
import { startStepUps, type StepUps } from '@karaar/testing/people/step-up';
import { freePort } from '@karaar/testing/processes/ports';
import { startServiceWorld, type ServiceWorld } from '@karaar/testing/service-world';
import { createApp } from '../src/app.ts';
import { readConfig, type Config } from '../src/config.ts';
import type { Context } from '../src/context.ts';

export type Answer = { status: number; body: Record<string, unknown> };
export type Person = { phone: string; email: string };
export type Api = {
  world: ServiceWorld;
  url: string;
  authSecret: string;
  service: Awaited<ReturnType<typeof createApp>>;
  texts: { phone: string; text: string }[];
  sms: { down: false | 'refused' | 'doubtful' };
  json: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  send: (path: string, form: FormData, headers?: Record<string, string>, method?: string) => Promise<Answer>;
  register: (
    person: Person,
    change?: (form: FormData) => void,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  codeFor: (phone: string) => Promise<string>;
  signIn: (
    phone: string,
  ) => Promise<{ token: string; headers: { authorization: string }; body: Record<string, unknown> }>;
  lastCode: (phone: string) => string;
  /** Confirms an act for a session with a code to the user's number, as the owner does. */
  confirmAct: (by: { phone: string; headers: Record<string, string> }, act: AccountAct) => Promise<void>;
  stepUps: StepUps;
  forgetLimits: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Starts the service on its own database. `env` overrides variables, `overrides` replaces parts of the
 * context.
 */
export async function startApi(
  name: string,
  env: Record<string, string> | ((world: ServiceWorld) => Promise<Record<string, string>>) = {},
  overrides: (config: Config) => Partial<Context> = () => ({}),
): Promise<Api> {
  const world = await startServiceWorld(name, { service: 'auth', startBrokerAdmin, authStandIn: false });
  const stepUps = startStepUps();
  await world.serve(documentsRpc.stepUp, stepUps.answer);
  const texts: Api['texts'] = [];
  const sms: Api['sms'] = { down: false };
  const provider = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      if (sms.down) return res.writeHead(sms.down === 'refused' ? 400 : 500).end();
      const form = new URLSearchParams(body);
      texts.push({ phone: form.get('To') ?? '', text: form.get('Body') ?? '' });
      res.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"SM1","status":"queued"}');
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const authSecret = randomBytes(32).toString('base64');
  const config = {
    ...world.env,
    TOKEN_SIGNING_KEY: generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'der' })
      .toString('base64'),
    AUTH_SECRET: authSecret,
    PUBLIC_URL: 'http://localhost:8080',
    SMS_API_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    SMS_ACCOUNT_SID: 'ACtest',
    SMS_AUTH_TOKEN: 'test',
    OTP_IP_PER_HOUR: '1000',
    REGISTER_IP_PER_HOUR: '1000',
    ...(typeof env === 'function' ? await env(world) : env),
  };
  // The service checks its own tokens against its own keys, so it must know its address beforehand.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const read = readConfig({ ...config, PORT: String(port), AUTH_URL: url });
  const service = await createApp(read, overrides(read));

  const json: Api['json'] = (method, path, body, headers = {}) =>
    request(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const send: Api['send'] = (path, form, headers = {}, method = 'POST') =>
    request(`${url}${path}`, { method, headers, body: form });
  const lastCode: Api['lastCode'] = (phone) => {
    const code = /\b[0-9A-Z]{6}\b/.exec(texts.findLast((text) => text.phone === phone)?.text ?? '');
    if (!code) throw new Error('There is no code in the text.');
    return code[0];
  };
  const codeFor = async (phone: string): Promise<string> => {
    const { status } = await json('POST', '/auth/send-otp', { phone_no: phone });
    if (status !== 200) throw new Error(`send-otp answered ${status}`);
    return lastCode(phone);
  };
  const confirmAct: Api['confirmAct'] = async ({ phone, headers }, act) => {
    for (const step of ['/auth/step-up', '/auth/step-up/finish']) {
      const body = step.endsWith('finish') ? { act, otp: lastCode(phone) } : { act };
      const { status } = await json('POST', step, body, headers);
      if (status !== 200) throw new Error(`${step} answered ${status}`);
    }
  };
  return {
    world,
    url,
    authSecret,
    service,
    texts,
    sms,
    json,
    send,
    stepUps,
    codeFor,
    lastCode,
    confirmAct,
    register: async (person, change, headers) => {
      const form = await registrationForm(person);
      change?.(form);
      return send('/auth/register', form, headers);
    },
    signIn: async (phone) => {
      const { status, body } = await json('POST', '/auth/login', {
        phone_no: phone,
        otp: await codeFor(phone),
      });
      if (status !== 200) throw new Error(`login answered ${status}`);
      const token = String(body['access_token']);
      return { token, headers: { authorization: `Bearer ${token}` }, body };
    },
    forgetLimits: async () => {
      for (const table of ['otp_sends', 'otp_challenges', 'limit_counts', 'admin_attempts'] as const)
        await service.foundation.db.deleteFrom(table).execute();
    },
    stop: async () => {
      await service.app.close();
      await service.close();
      provider.close();
      await world.stop();
    },
  };
}

async function request(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

let serial = 0;
export function newPerson(): Person {
  serial += 1;
  return { phone: `+9198${String(serial).padStart(8, '0')}`, email: `person${serial}@example.org` };
}

export async function registrationForm(person: Person): Promise<FormData> {
  const form = new FormData();
  const fields = {
    name: 'Meera Nair',
    email: person.email,
    phone_no: person.phone,
    city: 'Kochi',
    state: 'Kerala',
    govt_id_type: 'PAN',
    govt_id_number: 'ABCDE1234F',
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(
    'govt_id_image',
    new Blob([new Uint8Array(await idCardPng())], { type: 'image/png' }),
    'id.png',
  );
  return form;
}
