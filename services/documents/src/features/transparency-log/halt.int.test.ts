/** After a recovery to an earlier time, a witness knows a longer log, and the recovered log must not grow. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registry } from '@karaar/observability/telemetry';
import type { Worker } from '@karaar/base/worker';
import { ALGORITHM, noteKey } from '@karaar/proof/log/note';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import type { Db } from '../../db/schema.ts';
import { openLogIdentity } from './log-identity.ts';
import { latestCheckpoint } from './log.repository.ts';
import { startLogWorker } from './log.worker.ts';
import { sequence } from './sequence.ts';
import { logContext, prepare, sealDocuments } from './testing/log-database.ts';

const pair = generateKeyPairSync('ed25519');
const publicKey = new Uint8Array(pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
const secret = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const identity = openLogIdentity({ origin: 'log.test/halt', secret, stateDir: '' });

let database: TestDatabase;
let db: Db;
let server: Server;
let worker: Worker;
let asked: number;

beforeAll(async () => {
  database = await testPostgres('log-halt');
  db = await prepare(database.url);
  await sealDocuments(db, 2);
  while ((await sequence(db, identity)) > 0);
  asked = 0;
  server = createServer((_req, res) => {
    asked += 1;
    res.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end('7\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}, 60_000);
afterAll(async () => {
  await worker.stop();
  server.close();
  await db.destroy();
  await database.drop();
});

const metrics = () => registry.metrics();

it('asks a witness before it extends the log, and does not extend it while the witness knows more', async () => {
  const key = noteKey('witness.test/halt', ALGORITHM.cosignatureV1, publicKey);
  const { port } = server.address() as AddressInfo;
  await db.insertInto('log_cosignatures').values({ size: 2, witness: key.name, line: 'of before' }).execute();
  const waiting = await sealDocuments(db, 1);
  expect(waiting).toHaveLength(1);
  const witnesses = [{ key, url: `http://127.0.0.1:${port}` }];
  worker = startLogWorker(logContext(db, { identity, witnesses, quorum: 1 }));
  await until('the log says that it is halted', async () =>
    /^transparency_log_halted(\{.*\})? 1$/m.test(await metrics()),
  );
  // It keeps asking, and the cosignature in the database does not end the halt.
  await until('the witness was asked again', () => asked >= 3);
  expect((await latestCheckpoint(db))?.size).toBe(2);
}, 30_000);
