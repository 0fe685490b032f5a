/** TLS to PostgreSQL as configured in the address: `pg` interprets `sslmode` in its own way. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { createAuthority, type Authority, type ServerCertificate } from '@karaar/testing/people/authority';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { createDb } from './db.ts';

let database: TestDatabase;
let folder: string;
let authority: Authority;
const servers: Server[] = [];
const open = new Set<Socket>();
beforeAll(async () => {
  database = await testPostgres('db-tls');
  folder = await mkdtemp(join(tmpdir(), 'karaar-tls-'));
  authority = await createAuthority(folder);
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  for (const server of servers) server.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Starts a TLS proxy for the test's PostgreSQL, which speaks its SSLRequest: eight bytes, the answer `S`,
 * then the handshake.
 */
async function behindTls(certificate: ServerCertificate): Promise<string> {
  const { hostname, port } = new URL(database.url);
  const server = createServer((raw) => {
    open.add(raw);
    raw.on('error', () => raw.destroy());
    raw.once('data', () => {
      raw.write('S');
      const client = new TLSSocket(raw, { isServer: true, ...certificate });
      const server = connect(Number(port), hostname);
      open.add(server);
      client.on('error', () => server.destroy());
      server.on('error', () => client.destroy());
      client.pipe(server).pipe(client);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(database.url);
  address.host = `localhost:${(server.address() as AddressInfo).port}`;
  return address.href;
}

async function ask(url: string): Promise<unknown> {
  const db = createDb<object>({ url, applicationName: 'tls-test', max: 1 });
  try {
    return (await sql<{ one: number }>`SELECT 1 AS one`.execute(db)).rows;
  } finally {
    await db.destroy();
  }
}

it('connects only with the authority in the address and a matching host name', async () => {
  const named = `?sslmode=verify-full&sslrootcert=${authority.certificateFile}`;
  const url = await behindTls(await authority.issue(['DNS:localhost']));
  expect(await ask(`${url}${named}`)).toEqual([{ one: 1 }]);
  const other = await behindTls(await authority.issue(['DNS:postgres-r']));
  await expect(ask(`${other}${named}`)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

it('does not connect with sslmode=require alone, which needs an authority that Node knows', async () => {
  const url = await behindTls(await authority.issue(['DNS:localhost']));
  await expect(ask(`${url}?sslmode=require`)).rejects.toMatchObject({
    code: expect.stringMatching(/^(UNABLE_TO_VERIFY|SELF_SIGNED|DEPTH_ZERO)/),
  });
});
