import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase64 } from '@karaar/proof/bytes';
import { leafHash } from '@karaar/proof/log/merkle';
import { verifyAnyCosignature } from '@karaar/proof/log/ml-dsa';
import {
  ALGORITHM,
  checkpointBody,
  noteKey,
  parseNote,
  signatureLine,
  verifyCosignature,
  verifyNote,
  type NoteKey,
} from '@karaar/proof/log/note';
import { appendLeaves, consistencyProof, rootOf, type TileReader } from '@karaar/proof/log/tiles';
import { openState, type StateFile } from './state.ts';
import { createWitness, type Witness } from './witness.ts';

const ORIGIN = 'log.test/one';
let dir: string;
let state: StateFile;
let witness: Witness;
let secret: KeyObject;
let logKey: NoteKey;

/** A log in memory; `forge` changes its leaves. */
async function tree(size: number, forge = ''): Promise<{ read: TileReader; note: string }> {
  const tiles = new Map<string, readonly Uint8Array[]>();
  const read: TileReader = async ({ level, index }) => tiles.get(`${level}/${index}`) ?? [];
  const leaves = Array.from({ length: size }, (_, i) => leafHash(Buffer.from(`${forge}${i}`)));
  for (const tile of await appendLeaves(read, 0, leaves))
    tiles.set(`${tile.level}/${tile.index}`, tile.hashes);
  const body = checkpointBody({ origin: ORIGIN, size, root: await rootOf(read, size) });
  return { read, note: `${body}\n${signatureLine(logKey, sign(null, Buffer.from(body), secret))}` };
}

async function request(old: number, size: number, forge = ''): Promise<string> {
  const { read, note } = await tree(size, forge);
  const proof = old > size ? [] : await consistencyProof(read, old, size);
  return `old ${old}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`;
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-witness-'));
  const log = generateKeyPairSync('ed25519');
  secret = log.privateKey;
  const spki = log.publicKey.export({ format: 'der', type: 'spki' });
  logKey = noteKey(ORIGIN, ALGORITHM.ed25519, new Uint8Array(spki.subarray(-32)));
  state = await openState(dir);
  witness = createWitness({
    name: 'witness.test/w',
    secret: generateKeyPairSync('ed25519')
      .privateKey.export({ format: 'der', type: 'pkcs8' })
      .toString('base64'),
    logKey,
    state,
  });
});
afterEach(() => rm(dir, { recursive: true }));

describe('the witness', () => {
  it('cosigns a consistent checkpoint, and remembers it over a restart', async () => {
    expect((await witness.addCheckpoint(await request(0, 3))).status).toBe(200);
    const answer = await witness.addCheckpoint(await request(3, 9));
    expect(answer.status).toBe(200);
    const note = parseNote((await tree(9)).note + answer.text);
    expect(verifyCosignature(note, witness.key)).toBeGreaterThan(1_700_000_000);
    expect((await openState(dir)).read().cosigned?.size).toBe(9);
    expect((await witness.addCheckpoint(await request(9, 9))).status).toBe(200);
  });

  it('stores the cosigned checkpoint as evidence for others', async () => {
    await witness.addCheckpoint(`${await request(0, 3)}— unknown.test/x AAAAAAAA\n`);
    const kept = (await openState(dir)).read().cosigned?.note ?? '';
    const note = parseNote(kept);
    expect(note.signatures.map(({ name }) => name)).toEqual([ORIGIN, 'witness.test/w']);
    expect(verifyNote(note, logKey)).toBe(true);
    expect(verifyCosignature(note, witness.key)).toBeGreaterThan(1_700_000_000);
  });

  it('returns two valid signatures if it has an ML-DSA-44 key', async () => {
    const both = createWitness({
      name: 'witness.test/both',
      secret: generateKeyPairSync('ed25519')
        .privateKey.export({ format: 'der', type: 'pkcs8' })
        .toString('base64'),
      mlDsaSeed: toBase64(new Uint8Array(32).fill(5)),
      logKey,
      state,
    });
    const answer = await both.addCheckpoint(await request(0, 3));
    const note = parseNote((await tree(3)).note + answer.text);
    const [ed25519, mlDsa] = [both.key, both.mlDsaKey].map((key) => key && verifyAnyCosignature(note, key));
    expect(ed25519).toBeGreaterThan(1_700_000_000);
    expect(mlDsa).toBe(ed25519);
  });

  it('refuses a history that was rewritten, shortened or forked', async () => {
    await witness.addCheckpoint(await request(0, 5));
    expect(await witness.addCheckpoint(await request(5, 8, 'rewritten '))).toMatchObject({ status: 422 });
    expect(await witness.addCheckpoint(await request(0, 8, 'rewritten '))).toEqual({
      status: 409,
      text: '5\n',
    });
    expect((await witness.addCheckpoint(await request(5, 4))).status).toBe(400);
    expect((await witness.addCheckpoint(await request(5, 5, 'fork '))).status).toBe(409);
    expect(
      state
        .read()
        .faults.map((fault) => fault.what)
        .join(),
    ).toContain('two trees of 5 leaves');
    expect(state.read().cosigned?.size).toBe(5);
  });

  it('refuses checkpoints without the log’s signature, other logs and malformed requests', async () => {
    const good = await request(0, 5);
    expect((await witness.addCheckpoint(good.replace('\n5\n', '\n6\n'))).status).toBe(403);
    expect((await witness.addCheckpoint(good.replace(ORIGIN, 'log.test/two'))).status).toBe(404);
    for (const bad of ['', 'old 0\n', good.replace('old 0', 'old -1'), good.slice(0, -2), `x${good}`]) {
      expect((await witness.addCheckpoint(bad)).status).toBe(400);
    }
    expect(state.read().cosigned).toBeNull();
  });

  it('handles requests one at a time: of many concurrent ones from the same size, it cosigns one', async () => {
    const sizes = [2, 3, 4, 5];
    const answers = await Promise.all(
      sizes.map(async (size) => witness.addCheckpoint(await request(0, size))),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  it('cosigns nothing while an audit fails', async () => {
    await witness.setFault('entry 0 was rewritten');
    expect((await witness.addCheckpoint(await request(0, 2))).status).toBe(503);
    expect(state.read().cosigned).toBeNull();
    await witness.setFault(undefined);
    expect((await witness.addCheckpoint(await request(0, 2))).status).toBe(200);
    expect((await openState(dir)).read().faults).toHaveLength(1);
  });

  it('does not start over if its state cannot be read', async () => {
    await witness.addCheckpoint(await request(0, 2));
    const path = join(dir, 'witness.json');
    await writeFile(path, (await readFile(path, 'utf8')).slice(0, 10));
    await expect(openState(dir)).rejects.toThrow();
  });

  it('keeps cosignatures and findings, also if both are written at once', async () => {
    for (let round = 1; round <= 20; round += 1) {
      await Promise.all([
        state.remember({ size: round, root: 'root' }),
        state.report(`fault ${round}`),
        state.remember({ size: round + 1, root: 'root' }),
        state.report(`fault ${round} again`),
      ]);
      const kept = (await openState(dir)).read();
      expect(kept).toEqual(state.read());
      expect([kept.cosigned?.size, kept.faults.length]).toEqual([round + 1, 2 * round]);
    }
  });
});
