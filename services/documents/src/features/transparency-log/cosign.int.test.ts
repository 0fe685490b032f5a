import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  ALGORITHM,
  cosignedMessage,
  encodeCosignature,
  noteKey,
  parseNote,
  signatureLine,
} from '@karaar/proof/log/note';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import type { Db } from '../../db/schema.ts';
import { cosign } from './cosign.ts';
import { LogBroken } from './log.errors.ts';
import { openLogIdentity } from './log-identity.ts';
import { latestCheckpoint } from './log.repository.ts';
import { sequence } from './sequence.ts';
import { prepare, sealDocuments } from './testing/log-database.ts';
import type { Witness } from '../../context.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const logSecret = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
const log = openLogIdentity({ origin: 'log.test/two', secret: logSecret.toString('base64'), stateDir: '' });
const key = noteKey(
  'witness.test/w',
  ALGORITHM.cosignatureV1,
  new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
);

let database: TestDatabase;
let db: Db;
let server: Server;
let witness: Witness;
/** The next answers of the witness: a known size, or a cosignature when the list is empty. */
let sizes: (() => Promise<number> | number)[];
let asked: number[];

async function grow(): Promise<number> {
  await sealDocuments(db, 1);
  await sequence(db, log);
  return (await latestCheckpoint(db))?.size ?? 0;
}

beforeAll(async () => {
  database = await testPostgres('log-cosign');
  db = await prepare(database.url);
  await sequence(db, log);
  server = createServer((req, res) => {
    void (async () => {
      const body = await text(req);
      asked.push(Number(/^old (\d+)/.exec(body)?.[1]));
      const size = await sizes.shift()?.();
      if (size !== undefined) return res.writeHead(409).end(`${size}\n`);
      const note = parseNote(body.slice(body.indexOf('\n\n') + 2));
      const time = Math.floor(Date.now() / 1_000);
      const cosignature = encodeCosignature(time, sign(null, cosignedMessage(note.body, time), privateKey));
      return res.end(signatureLine(key, cosignature));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  witness = { key, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}, 60_000);
afterAll(async () => {
  server.close();
  await db.destroy();
  await database.drop();
});
beforeEach(() => {
  [sizes, asked] = [[], []];
});

it('continues where another process was first, repeatedly', async () => {
  const size = await grow();
  await grow();
  // The other process had the first of the two entries cosigned after our read, and then the second.
  sizes = [() => size, () => size + 1];
  await cosign(db, witness);
  expect(asked).toEqual([0, size, size + 1]);
});

it('does not report a log that has grown since it was read', async () => {
  const size = await grow();
  // The other process extends the log and has it cosigned while we ask about the tree before.
  sizes = [async () => grow()];
  await cosign(db, witness);
  expect(asked).toEqual([size - 1, size + 1]);
});

it('reports a broken log if the witness knows more entries, or another tree of the same size', async () => {
  const size = await grow();
  sizes = [() => size + 5];
  await expect(cosign(db, witness)).rejects.toThrow(LogBroken);
  sizes = [() => size - 1];
  await expect(cosign(db, witness)).rejects.toThrow(LogBroken);
});
