/**
 * A log in memory with its own key and optionally a witness, which tests extend, rewrite and fork as an
 * operator could.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { utf8 } from '../bytes.ts';
import type { LogSource } from '../approval/key-watch.ts';
import {
  ALGORITHM,
  checkpointBody,
  cosignedMessage,
  encodeCosignature,
  formatKey,
  noteKey,
  signatureLine,
  type Algorithm,
} from '../log/note.ts';
import { encodeBundle, parseTilePath, TILE_WIDTH } from '../log/tiles.ts';
import { mth, proof } from './reference-tree.ts';

export function signer(name: string, algorithm: Algorithm) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  return {
    key: noteKey(name, algorithm, raw),
    sign: (text: Uint8Array): Uint8Array => new Uint8Array(sign(null, text, privateKey)),
  };
}
type Signer = ReturnType<typeof signer>;

export class TestLog implements LogSource {
  entries: Uint8Array[];
  signer: Signer;
  witness: Signer | undefined;
  restarts: string[] = [];
  reads = 0;

  constructor(entries: Uint8Array[] = [], signers: { log?: Signer; witness?: Signer } = {}) {
    this.entries = entries;
    this.signer = signers.log ?? signer('log.test/log', ALGORITHM.ed25519);
    this.witness = signers.witness;
  }

  keys = async () => ({
    log: formatKey(this.signer.key),
    witnesses: this.witness ? [formatKey(this.witness.key)] : [],
    restarts: this.restarts,
  });

  checkpoint = async (): Promise<string> => {
    const body = checkpointBody({
      origin: this.signer.key.name,
      size: this.entries.length,
      root: mth(this.entries),
    });
    const line = signatureLine(this.signer.key, this.signer.sign(utf8(body)));
    return `${body}\n${line}${this.witness ? cosignature(body, this.witness) : ''}`;
  };

  bundle = async (path: string): Promise<Uint8Array> => {
    const id = parseTilePath(path);
    if (id?.level !== 'entries') throw new Error(`not a bundle: ${path}`);
    this.reads += 1;
    return encodeBundle(this.entries.slice(id.index * TILE_WIDTH, id.index * TILE_WIDTH + id.width));
  };

  consistency = async (first: number, second: number): Promise<Uint8Array[]> =>
    proof(first, this.entries.slice(0, second));
}

function cosignature(body: string, { key, sign: signWith }: Signer): string {
  const time = 1_764_000_000;
  return signatureLine(key, encodeCosignature(time, signWith(cosignedMessage(body, time))));
}
