import { jest } from '@jest/globals';
import { toBase64, toBase64url } from '@karaar/proof/bytes';
import { keyEntry, keyHash } from '@karaar/proof/approval/key-entry';
import { ALGORITHM } from '@karaar/proof/log/note';
import { Authenticator } from '@karaar/proof/testing/authenticator';
import { signer, TestLog } from '@karaar/proof/testing/test-log';
import {
  restartWatch,
  denyKey,
  dropKey,
  hasAlarm,
  isLookDue,
  keyWatch,
  knowKey,
  lookForKeys,
  newKeyHash,
} from './index.ts';

const DAY_MS = 86_400_000;
const AT = '2026-12-03T08:00:00.000Z';
const key = (n: number): string => n.toString(16).padStart(64, '0');
const added = (n: number): Uint8Array =>
  keyEntry({ action: 'added', userId: 'asha', keySha256: key(n), at: AT });

const store = new Map<string, string>();
let now = 0;
let log: TestLog;
let listed: { sha256: string; logged: boolean }[];
let isDown: boolean;

/** Serves the gateway's responses to a check. */
async function serve(input: string | URL | Request): Promise<Response> {
  if (isDown) throw new TypeError('no network');
  const { pathname, searchParams } = new URL(String(input), 'http://karaar.test');
  const json = (body: unknown) => new Response(JSON.stringify(body));
  if (pathname === '/api/documents/signing-keys') return json(listed);
  if (pathname === '/api/log/keys') return json(await log.keys());
  if (pathname === '/api/log/checkpoint') return new Response(await log.checkpoint());
  if (pathname === '/api/log/consistency') {
    const [first, second] = [Number(searchParams.get('first')), Number(searchParams.get('second'))];
    return json({ first, second, hashes: (await log.consistency(first, second)).map(toBase64) });
  }
  const bundle = await log.bundle(pathname.replace('/api/log/tile/', ''));
  return new Response(new Uint8Array(bundle));
}

beforeAll(() => {
  Object.assign(globalThis, {
    window: new EventTarget(),
    localStorage: {
      getItem: (name: string) => store.get(name) ?? null,
      setItem: (name: string, value: string) => void store.set(name, value),
      removeItem: (name: string) => void store.delete(name),
    },
  });
});
beforeEach(() => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(serve);
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  store.clear();
  now = Date.parse(AT);
  log = new TestLog([added(1)]);
  listed = [{ sha256: key(1), logged: true }];
  isDown = false;
});
afterEach(() => jest.restoreAllMocks());

it('raises an alarm for a key that this device does not know, until the person confirms it', async () => {
  expect(hasAlarm('asha')).toBe(false);
  await lookForKeys('asha');
  expect(keyWatch('asha').findings).toEqual([{ kind: 'unknown', keySha256: key(1), at: AT }]);
  expect(hasAlarm('asha')).toBe(true);
  knowKey('asha', key(1));
  expect([keyWatch('asha').findings, hasAlarm('asha')]).toEqual([[], false]);
  // The answer counts for this person only.
  await lookForKeys('vikram');
  expect(keyWatch('vikram').findings).toEqual([{ kind: 'unlogged', keySha256: key(1) }]);
});

it('reads the hash of a new key from the device, if the browser provides it', () => {
  const device = new Authenticator();
  const data = toBase64url(device.newData('karaar.example'));
  expect(newKeyHash(data)).toBe(keyHash(device.publicKey));
  expect([newKeyHash(undefined), newKeyHash('AAAA')]).toEqual([undefined, undefined]);
});

it('keeps a denied key as a finding, without an alarm', async () => {
  await lookForKeys('asha');
  denyKey('asha', key(1));
  expect(keyWatch('asha').findings).toEqual([{ kind: 'denied', keySha256: key(1), at: AT }]);
  expect(hasAlarm('asha')).toBe(false);
});

it('does not report a key as missing from the list just after its removal on this device', async () => {
  knowKey('asha', key(1));
  listed = [];
  await lookForKeys('asha');
  expect(keyWatch('asha').findings).toMatchObject([{ kind: 'unlisted' }]);
  dropKey('asha', key(1));
  expect(keyWatch('asha').findings).toEqual([]);
});

it('is due once a day, and after an hour if the log could not be read', async () => {
  expect(isLookDue('asha')).toBe(true);
  await lookForKeys('asha');
  expect(isLookDue('asha')).toBe(false);
  now += DAY_MS - 1;
  expect(isLookDue('asha')).toBe(false);
  now += 1;
  expect(isLookDue('asha')).toBe(true);
  isDown = true;
  await expect(lookForKeys('asha')).rejects.toThrow();
  expect(isLookDue('asha')).toBe(false);
  now += DAY_MS / 24;
  expect(isLookDue('asha')).toBe(true);
  // A clock that was set back must not delay it long.
  now -= 10 * DAY_MS;
  expect(isLookDue('asha')).toBe(true);
});

it('raises an alarm if the log could not be read for more than a week', async () => {
  knowKey('asha', key(1));
  await lookForKeys('asha');
  isDown = true;
  for (const days of [3, 4]) {
    now += days * DAY_MS;
    await expect(lookForKeys('asha')).rejects.toThrow();
    expect(keyWatch('asha').isOverdue).toBe(false);
  }
  now += 1;
  await expect(lookForKeys('asha')).rejects.toThrow();
  expect([keyWatch('asha').isOverdue, hasAlarm('asha')]).toEqual([true, true]);
  isDown = false;
  await lookForKeys('asha');
  expect(hasAlarm('asha')).toBe(false);
});

it('keeps the alarm of a rewritten log, even if the log is as before, until the person starts over', async () => {
  knowKey('asha', key(1));
  await lookForKeys('asha');
  const honest = [...log.entries];
  log.entries = [added(2)];
  await lookForKeys('asha');
  expect([keyWatch('asha').fault, hasAlarm('asha')]).toEqual(['rewritten', true]);
  log.entries = honest;
  await lookForKeys('asha');
  expect([keyWatch('asha').fault, hasAlarm('asha')]).toEqual(['rewritten', true]);
  restartWatch('asha');
  await lookForKeys('asha');
  // The person's answers stay.
  expect([keyWatch('asha').fault, hasAlarm('asha')]).toEqual([undefined, false]);
});

it('ends the alarm of a shorter log that has caught up, and raises none for a missing cosignature alone', async () => {
  knowKey('asha', key(1));
  const witness = signer('witness.test/w', ALGORITHM.cosignatureV1);
  log.witness = witness;
  await lookForKeys('asha');
  log.entries.push(added(1));
  await lookForKeys('asha');
  log.entries.pop();
  await lookForKeys('asha');
  expect([keyWatch('asha').fault, hasAlarm('asha')]).toEqual(['shorter', true]);
  log.entries.push(added(1));
  await lookForKeys('asha');
  expect(hasAlarm('asha')).toBe(false);
  log.witness = undefined;
  const atOnce = (done: () => void) => {
    done();
    return 0;
  };
  // The watch does not read the properties of the real function.
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(atOnce as typeof setTimeout);
  await lookForKeys('asha');
  expect([keyWatch('asha').fault, hasAlarm('asha')]).toEqual(['not-witnessed', false]);
});

it('starts over if the stored record cannot be read', async () => {
  await lookForKeys('asha');
  for (const name of store.keys()) store.set(name, '{');
  expect(keyWatch('asha')).toMatchObject({ findings: [], checkedAt: undefined });
  await lookForKeys('asha');
  expect(hasAlarm('asha')).toBe(true);
});
