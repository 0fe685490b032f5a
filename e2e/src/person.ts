/** A user of the public API: repeats a request after a 503 or a broken connection, and fails on any other surprise. */
import { randomInt } from 'node:crypto';
import { faceImage, idCardPng, signaturePng } from '@karaar/testing/faces/faces';
import { registrationOf } from '@karaar/testing/people/registration';
import { codeTo } from './browser/api-calls.ts';
import { PATIENCE_MS, waitOut } from './patience.ts';

export type Answer = { status: number; body: Record<string, unknown> };
export type Part = { bytes: Uint8Array; type: string; name: string };
type Fields = Record<string, string | Part | Part[]>;

export type Person = ReturnType<typeof callerOf> & {
  name: string;
  phone: string;
  userId: string;
  charId: string;
  token: string;
};

const ACCEPTED: readonly number[] = [200, 201, 202];

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

/** Registers a user and signs in with the code of the text message. */
export async function newPerson(url: string, name: string, phone = freshPhone()): Promise<Person> {
  const anonymous = callerOf(url);
  const idCard = part(await idCardPng(), 'image/png', 'id.png');
  await anonymous.send(
    '/auth/register',
    { ...registrationOf(name, phone), govt_id_image: idCard },
    // 409: the answer to an earlier attempt was lost.
    { expected: [201, 409] },
  );
  await anonymous.call('POST', '/auth/send-otp', { phone_no: phone }, [200, 429]);
  const credentials = { phone_no: phone, otp: await codeTo(url, phone) };
  const { body } = await anonymous.call('POST', '/auth/login', credentials);
  const token = String(body['access_token']);
  const [userId, charId] = [String(body['user_id']), String(body['char_id'])];
  return { name, phone, userId, charId, token, ...callerOf(url, token) };
}

/** Confirms the deletion of an account with a code sent to its number. */
export async function confirmDeletion(url: string, person: Person): Promise<void> {
  const act = { action: 'delete_account' };
  await person.call('POST', '/auth/step-up', { act });
  await person.call('POST', '/auth/step-up/finish', { act, otp: await codeTo(url, person.phone) });
}

/** Returns the calls of the API at this address, with a token or without one. */
export function callerOf(url: string, token?: string) {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const json = (method: string, path: string, body: unknown) => () =>
    fetch(`${url}/api${path}`, {
      method,
      ...(body === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  return {
    /** Sends a request until its status is one of the expected ones. @throws Error for any other status */
    call: (method: string, path: string, body?: unknown, expected = ACCEPTED): Promise<Answer> =>
      patiently(`${method} ${path}`, expected, json(method, path, body)),
    /** Sends a request once, and returns its answer whatever the status, with the time it took. */
    once: async (method: string, path: string, body?: unknown): Promise<Answer & { ms: number }> => {
      const start = performance.now();
      const answer = await answerOf(await json(method, path, body)());
      return { ...answer, ms: performance.now() - start };
    },
    /** Sends a form like `call`; a list is several files with one name. */
    send: (
      path: string,
      fields: Fields,
      { method = 'POST', expected = ACCEPTED }: { method?: string; expected?: readonly number[] } = {},
    ): Promise<Answer> =>
      patiently(`${method} ${path}`, expected, () =>
        fetch(`${url}/api${path}`, { method, headers, body: toForm(fields) }),
      ),
    bytes: async (path: string): Promise<Uint8Array> => {
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

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
}

async function patiently(
  what: string,
  expected: readonly number[],
  run: () => Promise<Response>,
): Promise<Answer> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await run()
      .then(answerOf)
      .catch((error: unknown) => {
        // The process at the other end was killed.
        if (error instanceof TypeError) return undefined;
        throw error;
      });
    if (answer && expected.includes(answer.status)) return answer;
    const found = answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'a broken connection';
    if ((answer && answer.status !== 503) || Date.now() > deadline)
      throw new Error(`${what} answered ${found}`);
    await waitOut(what, found);
  }
}
