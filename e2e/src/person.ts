/** A user of the public API: repeats a call after a 503, a broken connection or a timeout, and fails on any other surprise. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { faceImage, idCardPng, signaturePng } from '@karaar/testing/faces/faces';
import { registrationOf } from '@karaar/testing/people/registration';
import { ADMIN_PASSWORD } from './database.ts';
import { fetchPatiently } from './patience.ts';

export type Answer = { status: number; body: Record<string, unknown> };
export type Part = { bytes: Uint8Array; type: string; name: string };
type Fields = Record<string, string | Part | Part[]>;

/** Sends texts and forms as they are, other bodies as JSON. @throws Error for a status that is not expected */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  expected?: readonly number[],
) => Promise<Answer>;
/** How long a call is repeated, where 0 is one attempt, and how long each attempt may take. */
export type Patience = { forMs: number; attemptMs: number };

export type Caller = ReturnType<typeof callerOf>;
export type Person = Caller & {
  name: string;
  phone: string;
  userId: string;
  charId: string;
  token: string;
};

/** No answer came in time: the call may have had its effect. */
export class NoAnswer extends Error {}
export class SignInRefused extends Error {}

const ACCEPTED: readonly number[] = [200, 201, 202];
const REFUSED = [400, 401, 403, 404, 422, 429];
const PATIENT: Patience = { forMs: 90_000, attemptMs: 90_000 };
/** A form takes longer: its photos are checked. */
const OF_FORMS = 6;
const PAUSE_MS = 50;

export const part = (bytes: Uint8Array, type: string, name: string): Part => ({ bytes, type, name });

/** Returns the images of a verification as the capture dialog sends them. */
export async function verification(seed: number): Promise<Record<'profile_pic' | 'eye' | 'sign', Part>> {
  const face = await faceImage({ width: 1280, height: 720 });
  return {
    profile_pic: part(face, 'image/jpeg', 'profile_capture.jpg'),
    eye: part(face, 'image/jpeg', 'eye_capture.jpg'),
    sign: part(await signaturePng(seed), 'image/png', 'signature.png'),
  };
}

/** Returns a phone number, with +91, that no other journey of this run has. */
export const freshPhone = (): string => `+916${String(randomInt(1e9)).padStart(9, '0')}`;

/** Registers a user. 409: the answer to an earlier attempt was lost. */
export async function register(url: string, name: string, phone: string, patience?: Patience): Promise<void> {
  const govt_id_image = part(await idCardPng(), 'image/png', 'id.png');
  const fields = { ...registrationOf(name, phone), govt_id_image };
  await callerOf(url, undefined, patience).send('/auth/register', fields, { expected: [201, 409] });
}

/** Signs in with the code of the text message. @param inbox has the message, also while the gateway is down @throws SignInRefused */
export async function signIn(
  url: string,
  name: string,
  phone: string,
  { inbox = url, patience }: { inbox?: string; patience?: Patience } = {},
): Promise<Person> {
  const { call } = callerOf(url, undefined, patience);
  await call('POST', '/auth/send-otp', { phone_no: phone }, [200, 429]);
  const credentials = { phone_no: phone, otp: await newestCode(inbox, phone) };
  const { status, body } = await call('POST', '/auth/login', credentials, [200, ...REFUSED]);
  if (status !== 200) throw new SignInRefused(`signing in answered ${status} ${JSON.stringify(body)}`);
  const [token, userId, charId] = ['access_token', 'user_id', 'char_id'].map((field) => String(body[field]));
  return { name, phone, ...{ userId, charId, token }, ...callerOf(url, token, patience) } as Person;
}

export async function newPerson(
  url: string,
  name: string,
  phone = freshPhone(),
  patience?: Patience,
): Promise<Person> {
  await register(url, name, phone, patience);
  return signIn(url, name, phone, { ...(patience && { patience }) });
}

/** Signs in as the development's admin. @returns the token */
export async function adminToken(url: string): Promise<string> {
  const credentials = { username: 'admin', password: ADMIN_PASSWORD };
  return String((await callerOf(url).call('POST', '/admin/login', credentials)).body['token']);
}

async function newestCode(inbox: string, phone: string): Promise<string | undefined> {
  const texts = await fetchPatiently(`${inbox}/dev/sms?phone_no=${encodeURIComponent(phone)}`);
  // A notification may have come after the code.
  return (
    ((await texts.json()) as { code: string | null }[]).find(({ code }) => code !== null)?.code ?? undefined
  );
}

/** Returns the newest code sent to this phone. */
export async function codeTo(url: string, phone: string): Promise<string> {
  const code = await newestCode(url, phone);
  if (code === undefined) throw new Error(`no code was sent to ${phone}`);
  return code;
}

/** Confirms the deletion of an account with a code sent to its number. */
export async function confirmDeletion(url: string, person: Person): Promise<void> {
  const act = { action: 'delete_account' };
  await person.call('POST', '/auth/step-up', { act });
  await person.call('POST', '/auth/step-up/finish', { act, otp: await codeTo(url, person.phone) });
}

/** Returns the calls of the API at this address, with a token or without one. */
export function callerOf(url: string, token?: string, patience?: Patience) {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const call = clientOf(() => `${url}/api`, headers, patience);
  return {
    headers,
    call,
    /** Sends a request once, and returns its answer whatever the status, with the time it took. */
    once: async (method: string, path: string, body?: unknown): Promise<Answer & { ms: number }> => {
      const start = performance.now();
      const answer = await answerOf(await fetch(`${url}/api${path}`, initOf(method, headers, body)));
      return { ...answer, ms: performance.now() - start };
    },
    /** Sends a form like `call`; a list is several files with one name. */
    send: (
      path: string,
      fields: Fields,
      { method = 'POST', expected = ACCEPTED }: { method?: string; expected?: readonly number[] } = {},
    ): Promise<Answer> => call(method, path, toForm(fields), expected),
    bytes: async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
      const response = await fetch(`${url}/api${path}`, { headers });
      if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

export function toForm(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else
      for (const file of [value].flat())
        form.append(name, new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name);
  }
  return form;
}

function initOf(method: string, headers: Record<string, string>, body: unknown): RequestInit {
  if (body === undefined) return { method, headers };
  if (body instanceof FormData)
    return { method, headers: { ...headers, 'idempotency-key': randomUUID() }, body };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: text };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
}

/**
 * Returns a client that repeats its calls as the app does, a form under one key.
 * @param base returns the URL before each path, because a part may move
 * @throws NoAnswer when the patience ends
 */
export const clientOf =
  (base: () => string, headers: Record<string, string>, { forMs, attemptMs } = PATIENT): Call =>
  async (method, path, body, expected = ACCEPTED) => {
    const init = initOf(method, headers, body);
    const limitMs = body instanceof FormData ? OF_FORMS * attemptMs : attemptMs;
    for (const until = Date.now() + forMs; ; await sleep(PAUSE_MS)) {
      const attempt = fetch(`${base()}${path}`, { ...init, signal: AbortSignal.timeout(limitMs) });
      const answer = await attempt.then(answerOf).catch((error: Error) => {
        // A broken connection or a timeout. Compared by name: in Jest the classes are of another realm.
        if (error.name === 'TypeError' || error.name === 'TimeoutError') return undefined;
        throw error;
      });
      if (answer && expected.includes(answer.status)) return answer;
      const found = `${method} ${path} answered ${answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'nothing'}`;
      if (answer && answer.status !== 503) throw new Error(found);
      if (Date.now() >= until) throw new NoAnswer(`${found} for ${forMs / 1_000} s`);
    }
  };
