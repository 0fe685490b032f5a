/** A dishonest log and one of three witnesses show two histories to two readers. The monitor finds it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { toBase64 } from '@karaar/proof/bytes';
import {
  ALGORITHM,
  cosignedMessage,
  encodeCosignature,
  formatKey,
  noteKey,
  parseCheckpoint,
  parseNote,
  signatureLine,
  verifyNote,
} from '@karaar/proof/log/note';
import { checkCheckpoint, parsePolicy } from '@karaar/proof/log/policy';
import { consistencyProof } from '@karaar/proof/log/tiles';
import { signer } from '@karaar/proof/testing/test-log';
import { startWitness, type WitnessProcess } from '@karaar/testing/servers/witness-process';
import type { Alert } from '../src/alerts.ts';
import { run } from '../src/cli.ts';
import { History, startLogServer, type LogServer } from './split-log.ts';

jest.setTimeout(120_000);

const ORIGIN = 'log.test/split';
const log = signer(ORIGIN, ALGORITHM.ed25519);
/** Colludes with the log: cosigns everything. */
const accomplice = signer('w3.test/false', ALGORITHM.cosignatureV1);
const secret = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const keyOf = (name: string, pkcs8: string) => {
  const key = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return formatKey(noteKey(name, ALGORITHM.cosignatureV1, new Uint8Array(der.subarray(-32))));
};
const [secret1, secret2] = [secret(), secret()];

let folder: string;
let honest: WitnessProcess;
let other: WitnessProcess;
let mine: LogServer;
let theirs: LogServer;

/** Gives a history a checkpoint, cosigned by this witness and by the dishonest one. */
async function publish(history: History, witness: WitnessProcess, known: number): Promise<void> {
  const body = `${ORIGIN}\n${history.size}\n${toBase64(await history.root())}\n`;
  const note = `${body}\n${signatureLine(log.key, log.sign(Buffer.from(body)))}`;
  const proof = await consistencyProof(history.read, known, history.size);
  const response = await fetch(`${witness.url}/add-checkpoint`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: `old ${known}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`,
  });
  if (!response.ok) throw new Error(`the witness answers ${response.status}`);
  const time = Math.floor(Date.now() / 1_000);
  const line = signatureLine(
    accomplice.key,
    encodeCosignature(time, accomplice.sign(cosignedMessage(body, time))),
  );
  history.checkpoint = note + (await response.text()) + line;
}

const policyText = () =>
  [
    `log ${formatKey(log.key)} ${mine.url}`,
    `witness w1 ${keyOf('w1.test/honest', secret1)} ${honest.url}`,
    `witness w2 ${keyOf('w2.test/honest', secret2)} ${other.url}`,
    `witness w3 ${formatKey(accomplice.key)}`,
    'group witnesses 2 w1 w2 w3',
    'quorum witnesses',
    '',
  ].join('\n');

/** Runs the monitor once against an address; returns its findings and exit code. */
async function lookAt(logServer: LogServer, name: string, more: string[] = [], policy = 'policy.txt') {
  const lines: string[] = [];
  const code = await run(
    [
      ...['follow', '--once', '--policy', join(folder, policy), '--state', join(folder, `${name}.json`)],
      ...['--log', logServer.url, ...more],
    ],
    { out: (line) => lines.push(line), err: (line) => lines.push(line) },
  );
  return { code, alerts: lines.map((line) => JSON.parse(line) as Alert) };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-drill-'));
  const common = { logKey: formatKey(log.key) };
  honest = await startWitness({
    ...common,
    ...{ name: 'w1.test/honest', secret: secret1, folder: join(folder, 'w1') },
  });
  other = await startWitness({
    ...common,
    ...{ name: 'w2.test/honest', secret: secret2, folder: join(folder, 'w2') },
  });
  const [a, b] = [new History(), new History()];
  for (const history of [a, b]) await history.append(['one', 'two', 'three']);
  // Both readers have seen this shared beginning.
  await publish(a, honest, 0);
  await publish(b, other, 0);
  mine = await startLogServer(a);
  theirs = await startLogServer(b);
  await writeFile(join(folder, 'policy.txt'), policyText());
  // Without the witnesses' URLs, a reader sees only the log.
  await writeFile(join(folder, 'alone.txt'), policyText().replaceAll(/ http:\S+/g, ''));
});
afterAll(async () => {
  mine.close();
  theirs.close();
  await Promise.all([honest.stop(), other.stop()]);
  await rm(folder, { recursive: true });
});

it('finds nothing in a single history', async () => {
  for (const [logServer, name] of [
    [mine, 'me'],
    [theirs, 'you'],
    [mine, 'alone'],
  ] as const)
    expect(await lookAt(logServer, name)).toEqual({ code: 0, alerts: [] });
});

describe('after the split', () => {
  beforeAll(async () => {
    await mine.history.append(['the rent is 10,000', 'five', 'six', 'seven']);
    await theirs.history.append(['the rent is 20,000', 'five', 'six']);
    await publish(mine.history, honest, 3);
    await publish(theirs.history, other, 3);
  });

  it('a reader of the log alone finds nothing, because each history has its quorum', async () => {
    const policy = parsePolicy(policyText());
    for (const { history } of [mine, theirs])
      expect(checkCheckpoint(history.checkpoint, policy).confirmed).toBe(true);
    expect(await lookAt(mine, 'alone', [], 'alone.txt')).toEqual({ code: 0, alerts: [] });
    expect(await lookAt(theirs, 'alone-too', [], 'alone.txt')).toEqual({ code: 0, alerts: [] });
  });

  it("both readers find it by the witnesses' checkpoints, with evidence for others", async () => {
    // The reader of the shorter history finds that the log does not serve the longer one.
    for (const [logServer, name, kind] of [
      [mine, 'me', 'split-view'],
      [theirs, 'you', 'withheld'],
    ] as const) {
      const { code, alerts } = await lookAt(logServer, name);
      expect({ code, kinds: alerts.map((alert) => alert.kind) }).toEqual({ code: 2, kinds: [kind] });
      const { evidence = [] } = alerts[0] ?? {};
      const notes = evidence.map(parseNote);
      expect(notes.every((note) => verifyNote(note, log.key))).toBe(true);
      expect(new Set(notes.map(({ body }) => parseCheckpoint(body).size))).toEqual(new Set([6, 7]));
    }
  });

  it('two readers find it by exchanging their checkpoints, without witnesses', async () => {
    const lines: string[] = [];
    const output = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
    expect(await run(['checkpoint', '--state', join(folder, 'alone-too.json')], output)).toBe(0);
    const file = join(folder, 'of-the-other-reader.txt');
    await writeFile(file, `${lines.join('\n')}\n`);
    const { code, alerts } = await lookAt(mine, 'alone', ['--view', file], 'alone.txt');
    expect({ code, kinds: alerts.map(({ kind }) => kind) }).toEqual({ code: 2, kinds: ['split-view'] });
    // The fault is found again, and the verified state is kept.
    expect((await lookAt(mine, 'alone', ['--view', file], 'alone.txt')).code).toBe(2);
    const state = JSON.parse(await readFile(join(folder, 'alone.json'), 'utf8')) as { size: number };
    expect(state.size).toBe(7);
  });

  it('a reader finds it after seeing one history and then the other', async () => {
    expect((await lookAt(theirs, 'moved', [], 'alone.txt')).code).toBe(0);
    const { code, alerts } = await lookAt(mine, 'moved', [], 'alone.txt');
    expect({ code, kinds: alerts.map(({ kind }) => kind) }).toEqual({ code: 2, kinds: ['split-view'] });
  });
});
