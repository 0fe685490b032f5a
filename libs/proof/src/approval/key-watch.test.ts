import { utf8 } from '../bytes.ts';
import { enrolledKey } from './enrolled-key.ts';
import { keyEntry, readKeyEntry, taggedKeyEntry, userTag } from './key-entry.ts';
import { keyFindings } from './key-findings.ts';
import { isReadToItsEnd, lookAtLog, type LogMemory, type LogSource } from './key-watch.ts';
import { ALGORITHM, formatKey, signatureLine } from '../log/note.ts';
import { restartBody } from '../log/restart.ts';
import { Authenticator } from '../testing/authenticator.ts';
import { mth } from '../testing/reference-tree.ts';
import { signer, TestLog } from '../testing/test-log.ts';

const ASHA = 'asha';
const TAG = userTag(ASHA);
const AT = '2026-11-25T08:00:00.000Z';
const LATER = '2026-12-03T08:00:00.000Z';
const key = (n: number): string => n.toString(16).padStart(64, '0');
const added = (n: number, userId = ASHA, at = AT): Uint8Array =>
  keyEntry({ action: 'added', userId, keySha256: key(n), at });
const removed = (n: number, at = LATER): Uint8Array =>
  keyEntry({ action: 'removed', userId: ASHA, keySha256: key(n), at });
const others = (count: number, from = 0): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => utf8(`karaar/final/v1\n${from + i}\n`));

const look = async (log: LogSource, before?: LogMemory) => lookAtLog(log, TAG, before);
/** Reads the log, which must have no fault. */
async function seen(log: LogSource, before?: LogMemory): Promise<LogMemory> {
  const { memory, fault } = await look(log, before);
  expect(fault).toBeUndefined();
  // As local storage returns it.
  return JSON.parse(JSON.stringify(memory)) as LogMemory;
}
const faultOf = async (log: LogSource, before?: LogMemory) => {
  const { memory, fault } = await look(log, before);
  // A log with a fault does not change the memory.
  if (before && fault) expect(memory).toEqual(before);
  return fault;
};

describe('key entries', () => {
  it('are parsed as they were written, and other entries are not', () => {
    const change = { action: 'added' as const, tag: TAG, keySha256: key(1), at: AT };
    expect(readKeyEntry(taggedKeyEntry(change))).toEqual(change);
    for (const entry of [
      ...others(1),
      utf8(''),
      Uint8Array.of(0xff),
      taggedKeyEntry({ ...change, at: 'now' }),
      utf8(`${String.fromCharCode(...taggedKeyEntry(change))}\n`),
    ])
      expect(readKeyEntry(entry)).toBeUndefined();
  });

  it('contain the key that a device finds in its own authenticator data', () => {
    for (const algorithm of ['ES256', 'RS256', 'EdDSA'] as const) {
      const device = new Authenticator(algorithm);
      const data = device.newData('karaar.example');
      expect(enrolledKey(data)).toEqual(device.publicKey);
      expect(enrolledKey(Uint8Array.of(...data, 0xa0))).toEqual(device.publicKey);
      expect(() => enrolledKey(data.slice(0, -1))).toThrow(RangeError);
    }
    expect(() => enrolledKey(new Uint8Array(200))).toThrow(RangeError);
  });
});

describe('reading the log', () => {
  it.each([0, 1, 2, 3, 255, 256, 257, 300, 513])(
    'reads a log of %d entries and later additions',
    async (size) => {
      const log = new TestLog(others(size));
      let memory = await seen(log);
      expect(isReadToItsEnd(memory)).toBe(true);
      for (const more of [0, 1, 2, 255, 256]) {
        log.entries.push(...others(more, log.entries.length), added(more), added(more, 'vikram'));
        memory = await seen(log, memory);
      }
      expect(memory.changes.map(({ keySha256 }) => keySha256)).toEqual([0, 1, 2, 255, 256].map(key));
      expect(memory).toMatchObject({ size: log.entries.length, read: log.entries.length });
    },
  );

  it('does not read entries again', async () => {
    const log = new TestLog(others(600));
    const memory = await seen(log);
    expect(log.reads).toBe(3);
    log.entries.push(added(1));
    await seen(log, memory);
    expect(log.reads).toBe(4);
  });

  it('continues a long log at the next call, and still verifies it against the tree', async () => {
    const log = new TestLog([added(1), ...others(700), added(2)]);
    const { memory: first } = await lookAtLog(log, TAG, undefined, 1);
    expect([first.read, first.size, isReadToItsEnd(first)]).toEqual([256, 702, false]);
    const { memory: second } = await lookAtLog(log, TAG, first, 1);
    expect(second.changes).toHaveLength(1);
    const { memory: third } = await lookAtLog(log, TAG, second, 1);
    expect([third.changes.length, isReadToItsEnd(third)]).toEqual([2, true]);
    const bent = new TestLog([added(3), ...log.entries.slice(1)], { log: log.signer });
    bent.checkpoint = log.checkpoint;
    bent.consistency = log.consistency;
    expect((await lookAtLog(bent, TAG, undefined, 1)).fault).toBe('rewritten');
  });
});

/** An operator who has the log's key and serves any content. */
describe('a dishonest log', () => {
  const honest = [...others(300), added(7), ...others(40, 300)];
  let log: TestLog;
  beforeEach(() => {
    log = new TestLog([...honest]);
  });
  /** Returns the log with other entries, signed with the same key. */
  const as = (entries: Uint8Array[]) => new TestLog(entries, { log: log.signer });

  it('cannot hide a key entry from its owner', async () => {
    const memory = await seen(new TestLog(honest.slice(0, 300), { log: log.signer }));
    // The same tree for everyone, with bundles in which an entry is replaced, missing or added.
    for (const entries of [
      honest.map((entry, i) => (i === 300 ? (others(1)[0] ?? entry) : entry)),
      honest.filter((_, i) => i !== 300),
      [...honest.slice(0, 301), added(8), ...honest.slice(301)],
    ]) {
      const filtered = as([...honest]);
      const shown = as(entries);
      filtered.bundle = shown.bundle;
      expect(await faultOf(filtered)).toBe('rewritten');
      expect(await faultOf(filtered, memory)).toBe('rewritten');
    }
  });

  it('is detected if it rewrites, removes or inserts an entry that the device has seen, at any later size', async () => {
    const memory = await seen(log);
    for (const change of [
      (all: Uint8Array[]) => all.map((entry, i) => (i === 300 ? added(8) : entry)),
      (all: Uint8Array[]) => all.filter((_, i) => i !== 300),
      (all: Uint8Array[]) => [...all.slice(0, 20), added(8), ...all.slice(20)],
    ])
      for (const more of [1, 2, 300])
        expect(await faultOf(as([...change(honest), ...others(more, 900)]), memory)).toBe('rewritten');
    expect(await faultOf(as(honest.map((e, i) => (i === 0 ? added(9) : e))), memory)).toBe('rewritten');
    expect(await faultOf(as(honest.slice(0, -1)), memory)).toBe('shorter');
    expect(await faultOf(as(honest), memory)).toBeUndefined();
  });

  it('is detected if another key signs it, even under the log’s name', async () => {
    const memory = await seen(log);
    expect(await faultOf(new TestLog([...honest]), memory)).toBe('other-key');
    const stranger = signer('log.test/log', ALGORITHM.ed25519);
    const forged = as([...honest, ...others(1)]);
    const body = (await forged.checkpoint()).split('\n\n')[0] ?? '';
    forged.checkpoint = async () =>
      `${body}\n\n${signatureLine(log.signer.key, stranger.sign(utf8(`${body}\n`)))}`;
    expect(await faultOf(forged, memory)).toBe('other-key');
  });

  it('continues under another name with a signed restart, unless entries that the device has seen are lost', async () => {
    const memory = await seen(log);
    const next = signer('log.test/2', ALGORITHM.ed25519);
    const restarted = (cut: number) => {
      const at = { size: cut, root: mth(honest.slice(0, cut)) };
      const body = restartBody({ old: log.signer.key, cut: at, witnessed: [], next: next.key, at: AT });
      const note = `${body}\n${[log.signer, next].map(({ key: by, sign }) => signatureLine(by, sign(utf8(body)))).join('')}`;
      const made = new TestLog([...honest.slice(0, cut), utf8(note)], { log: next });
      made.restarts = [note];
      made.entries.push(...others(400, 2_000));
      return made;
    };
    expect(await faultOf(restarted(honest.length), memory)).toBeUndefined();
    expect((await seen(restarted(honest.length), memory)).log).toBe(formatKey(next.key));
    expect(await faultOf(restarted(honest.length - 1), memory)).toBe('rewritten');
  });

  it('cannot show one log to its witness and another to the device without the cosignature', async () => {
    const witness = signer('witness.test/w', ALGORITHM.cosignatureV1);
    const witnessed = new TestLog([...honest], { log: log.signer, witness });
    const memory = await seen(witnessed);
    const fork = as([...honest, ...others(3, 700)]);
    expect(await faultOf(fork, memory)).toBe('not-witnessed');
    // Nor with a witness key of the operator.
    fork.witness = signer('witness.test/w', ALGORITHM.cosignatureV1);
    expect(await faultOf(fork, memory)).toBe('not-witnessed');
    expect(await faultOf(fork)).toBeUndefined();
    witnessed.entries.push(added(8));
    expect((await seen(witnessed, memory)).witnesses).toEqual([formatKey(witness.key)]);
    // A witness that appears later is remembered from then on.
    const later = await seen(witnessed, await seen(log));
    expect(await faultOf(as([...witnessed.entries, ...others(1)]), later)).toBe('not-witnessed');
  });

  it('is refused if it answers with invalid data', async () => {
    for (const nonsense of ['', 'no', 'a\n1\nb\n\n— x y\n'])
      await expect(look({ ...log, checkpoint: async () => nonsense })).rejects.toThrow(RangeError);
    await expect(look({ ...log, bundle: async () => Uint8Array.of(0, 9, 1) })).rejects.toThrow(RangeError);
  });
});

describe('findings', () => {
  const change = (entry: Uint8Array) => {
    const { action, keySha256, at } = readKeyEntry(entry) ?? { action: 'added', keySha256: '', at: '' };
    return { action, keySha256, at };
  };
  const listed = (...keys: number[]) => keys.map((n) => ({ sha256: key(n), logged: true }));
  const known = (...keys: number[]) => new Set(keys.map(key));

  it('are empty if log, list and device agree, also about removed keys', () => {
    const changes = [added(1), added(2), removed(2)].map(change);
    expect(keyFindings(changes, known(1, 2), listed(1), true)).toEqual([]);
    expect(keyFindings([], known(), [], true)).toEqual([]);
  });

  it('include a key in the log that the device does not know, even if it was removed', () => {
    const changes = [added(1), added(2), added(3, ASHA, LATER), removed(2)].map(change);
    expect(keyFindings(changes, known(1), listed(1, 3), true)).toEqual([
      { kind: 'unknown', keySha256: key(2), at: AT, removedAt: LATER },
      { kind: 'unknown', keySha256: key(3), at: LATER },
    ]);
  });

  it('include a known key that the list hides, and a listed key that the log lacks', () => {
    expect(keyFindings([added(1)].map(change), known(1), [], true)).toEqual([
      { kind: 'unlisted', keySha256: key(1), at: AT },
    ]);
    expect(keyFindings([], known(), listed(4), true)).toEqual([{ kind: 'unlogged', keySha256: key(4) }]);
    // But not before the log was read to its end, nor for a key that is not logged yet.
    expect(keyFindings([], known(), listed(4), false)).toEqual([]);
    expect(keyFindings([], known(4), [{ sha256: key(4), logged: false }], true)).toEqual([]);
  });
});
