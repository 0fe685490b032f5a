/**
 * A person who uses the public API as the browser does: patient where a service is down for a moment
 * (503, a broken connection), strict about everything else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { faceImage, idCardPng, signaturePng } from '@karaar/testing/faces/faces';
import { registrationOf } from '@karaar/testing/people/registration';
import { codeTo } from './browser/api-calls.ts';
import { noteWait } from './patience.ts';

export type Answer = { status: number; body: Record<string, unknown> };
export type Part = { bytes: Uint8Array; type: string; name: string };

const PATIENCE_MS = 90_000;
const PAUSE_MS = 300;

export type Person = {
  name: string;
  phone: string;
  userId: string;
  charId: string;
  /** The access token, as the login answered it. */
  token: string;
  /** Any call of the API base; waits out 503 and broken connections. Throws on other statuses unless expected. */
  call: (method: string, path: string, body?: unknown, expected?: readonly number[]) => Promise<Answer>;
  /** A multipart call; a list is several files under one name. */
  send: (
    path: string,
    fields: Record<string, string | Part | Part[]>,
    options?: { method?: string; expected?: readonly number[] },
  ) => Promise<Answer>;
  bytes: (path: string) => Promise<Uint8Array>;
  /** One attempt at a call, whatever its outcome, and how long it took. */
  once: (method: string, path: string, body?: unknown) => Promise<Answer & { ms: number }>;
};

export const part = (bytes: Uint8Array, type: string, name: string): Part => ({ bytes, type, name });

/** The images of a verification as the capture modal sends them. */
export async function verification(seed: number): Promise<Record<'profile_pic' | 'eye' | 'sign', Part>> {
  const face = await faceImage({ width: 1280, height: 720 });
  return {
    profile_pic: part(face, 'image/jpeg', 'profile_capture.jpg'),
    eye: part(face, 'image/jpeg', 'eye_capture.jpg'),
    sign: part(await signaturePng(seed), 'image/png', 'signature.png'),
  };
}

/** Registers a new person and signs in with the code from the text messages' inbox. */
export async function newPerson(url: string, name: string, phone: string): Promise<Person> {
  const anonymous = callerOf(url);
  await anonymous.send(
    '/auth/register',
    {
      ...registrationOf(name, phone),
      govt_id_image: part(await idCardPng(), 'image/png', 'id.png'),
    },
    // 409: an answer was lost on the way and the patient client asked again.
    { expected: [201, 409] },
  );
  const { body } = await anonymous.call('POST', '/auth/login', {
    phone_no: phone,
    otp: await readCode(url, anonymous, phone),
  });
  return {
    name,
    phone,
    userId: String(body['user_id']),
    charId: String(body['char_id']),
    token: String(body['access_token']),
    ...callerOf(url, String(body['access_token'])),
  };
}

/** Confirms the deletion of an account by a code to its number, as its owner does. */
export async function confirmDeletion(url: string, person: Person): Promise<void> {
  const act = { action: 'delete_account' };
  await person.call('POST', '/auth/step-up', { act });
  await person.call('POST', '/auth/step-up/finish', { act, otp: await codeTo(url, person.phone) });
}

async function readCode(url: string, anonymous: Pick<Person, 'call'>, phone: string): Promise<string> {
  await anonymous.call('POST', '/auth/send-otp', { phone_no: phone }, [200, 429]);
  return codeTo(url, phone);
}

/** Calls of the API at this address, with a token or as nobody. */
export function callerOf(url: string, token?: string): Pick<Person, 'call' | 'send' | 'bytes' | 'once'> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const request = (method: string, path: string, body?: unknown) =>
    fetch(`${url}/api${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    call: (method, path, body, expected = [200, 201, 202]) =>
      patiently(`${method} ${path}`, expected, () => request(method, path, body)),
    once: async (method, path, body) => {
      const start = performance.now();
      const response = await request(method, path, body);
      const text = await response.text();
      const ms = performance.now() - start;
      return { status: response.status, body: JSON.parse(text) as Record<string, unknown>, ms };
    },
    send: (path, fields, { method = 'POST', expected = [200, 201, 202] } = {}) =>
      patiently(`${method} ${path}`, expected, () =>
        fetch(`${url}/api${path}`, { method, headers, body: toForm(fields) }),
      ),
    bytes: async (path) => {
      const response = await fetch(`${url}/api${path}`, { headers });
      if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

export function toForm(fields: Record<string, string | Part | Part[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else
      for (const file of [value].flat())
        form.append(name, new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name);
  }
  return form;
}

async function patiently(
  what: string,
  expected: readonly number[],
  run: () => Promise<Response>,
): Promise<Answer> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await attempt(run);
    if (answer && expected.includes(answer.status)) return answer;
    const passing = !answer || answer.status === 503;
    if (!passing || Date.now() > until) {
      throw new Error(
        `${what} answered ${answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'nothing'}`,
      );
    }
    noteWait(what, answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'the connection broke');
    await sleep(PAUSE_MS);
  }
}

/** Undefined for a connection that broke: the process behind it was killed. */
async function attempt(run: () => Promise<Response>): Promise<Answer | undefined> {
  try {
    const response = await run();
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
