/**
 * Whether a number has an account must not show in how long an answer takes. The clock cannot prove that in a test, the
 * work can: both ways do the same steps in the same order.
 */
import { jest } from '@jest/globals';
import { blobConfigFromEnv, createBlobStore } from '@karaar/storage/blobs';
import pg from 'pg';
import { newPerson, registrationForm, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
const member = newPerson();
/** The steps of the service in order: statements, blobs, text messages. */
let steps: string[] = [];

beforeAll(async () => {
  const { query } = pg.Client.prototype;
  jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
    // The relay and the key cache run at unpredictable times.
    if (!/^(begin|commit)|outbox|signing_keys/i.test(text)) steps.push(text.replaceAll(/\s+/g, ' ').trim());
    // The driver's method has many overloads, of which a spy can name one: this passes on the real result.
    return Reflect.apply(query, this, args) as never;
  });
  api = await startApi('auth-uniform', {}, (config) => {
    const blobs = createBlobStore(blobConfigFromEnv(config));
    const { put, eraseOwner } = blobs;
    blobs.put = (...args) => (steps.push('blob stored'), put.apply(blobs, args));
    blobs.eraseOwner = (...args) => (steps.push('blobs erased'), eraseOwner.apply(blobs, args));
    return { blobs };
  });
  expect((await api.register(member)).status).toBe(201);
}, 120_000);
afterAll(async () => {
  await api.stop();
  jest.restoreAllMocks();
});

async function stepsOf(call: () => Promise<{ status: number }>, status: number): Promise<string[]> {
  await api.forgetLimits();
  steps = [];
  const texts = api.texts.length;
  expect((await call()).status).toBe(status);
  return [...steps, ...api.texts.slice(texts).map(() => 'text sent')];
}

describe('the work of an answer', () => {
  it('[AUTH-057] is the same for a code to a number with an account and to a number without one', async () => {
    const send = (phone: string) => () => api.json('POST', '/auth/send-otp', { phone_no: phone });
    const known = await stepsOf(send(member.phone), 200);
    expect(known).toEqual([
      expect.stringContaining('otp_ask'),
      expect.stringContaining('FROM users'),
      'text sent',
    ]);
    expect(await stepsOf(send(newPerson().phone), 200)).toEqual(known);
    // One SMS each: the provider takes longer for a longer text.
    for (const { text } of api.texts.slice(-2)) expect(text.length).toBeLessThanOrEqual(160);
  });

  it('is the same for a wrong code, with and without an account', async () => {
    const login = (phone: string) => () =>
      api.json('POST', '/auth/login', { phone_no: phone, otp: 'AAAAAA' });
    const known = await stepsOf(login(member.phone), 400);
    expect(known).toEqual([expect.stringContaining('otp_redeem')]);
    expect(await stepsOf(login(newPerson().phone), 400)).toEqual(known);
  });

  it('[AUTH-060] is the same for a registration up to the decision, including the image, with and without an account', async () => {
    const register = (person: { phone: string; email: string }) => async () =>
      api.send('/auth/register', await registrationForm(person));
    const phoneTaken = await stepsOf(register({ ...newPerson(), phone: member.phone }), 409);
    const decided = phoneTaken.findIndex((step) => /select .* from "users"/.test(step));
    // The slow part, cleaning and storing the image, comes before the look-up of accounts.
    expect(phoneTaken.slice(0, decided)).toEqual([
      ...Array<unknown>(2).fill(expect.stringContaining('limit_')),
      'blob stored',
    ]);
    expect(await stepsOf(register({ ...newPerson(), email: member.email }), 409)).toEqual(phoneTaken);
    expect(await stepsOf(register(member), 409)).toEqual(phoneTaken);
    const nobody = await stepsOf(register(newPerson()), 201);
    expect(nobody.slice(0, decided + 1)).toEqual(phoneTaken.slice(0, decided + 1));
  });
});
