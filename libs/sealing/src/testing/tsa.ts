import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface LocalTsa {
  url: string;
  certificate: string;
  count(): number;
  close(): void;
}

const CONFIG = (dir: string): string => `
[tsa]
default_tsa = tsa_config
[tsa_config]
serial = ${dir}/serial
crypto_device = builtin
signer_cert = ${dir}/tsa.crt
certs = ${dir}/tsa.crt
signer_key = ${dir}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1
ess_cert_id_alg = sha256
[ext]
extendedKeyUsage = critical,timeStamping
keyUsage = critical,digitalSignature
basicConstraints = critical,CA:true
`;

/**
 * Starts an RFC 3161 authority made with OpenSSL behind an HTTP server on loopback.
 * @param answer may change or replace the reply, for a faulty authority
 * @param certify writes `tsa.key` and `tsa.crt`
 */
export async function startTsa(
  dir: string,
  answer: (reply: Buffer, query: Buffer) => Promise<Buffer> | Buffer = (reply) => reply,
  certify: (dir: string) => Promise<void> = certifyItself,
): Promise<LocalTsa> {
  const file = (name: string): string => join(dir, name);
  await writeFile(file('tsa.cnf'), CONFIG(dir));
  await writeFile(file('serial'), '01\n');
  await certify(dir);
  let answered = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const reply = async (query: Buffer): Promise<Buffer> => {
    await writeFile(file('query.tsq'), query);
    await run('openssl', [
      ...['ts', '-reply', '-config', file('tsa.cnf'), '-section', 'tsa_config'],
      ...['-queryfile', file('query.tsq'), '-out', file('reply.tsr')],
    ]);
    return answer(await readFile(file('reply.tsr')), query);
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      turn = turn
        .then(() => reply(Buffer.concat(chunks)))
        .then((bytes) => {
          answered += 1;
          response.setHeader('content-type', 'application/timestamp-reply');
          response.end(bytes);
        })
        .catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    certificate: await readFile(file('tsa.crt'), 'utf8'),
    count: () => answered,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Creates `tsa.key` and a self-signed `tsa.crt`. */
async function certifyItself(dir: string): Promise<void> {
  const file = (name: string): string => join(dir, name);
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Test TSA', '-days', '3'],
    ...[
      '-keyout',
      file('tsa.key'),
      '-out',
      file('tsa.crt'),
      '-config',
      file('tsa.cnf'),
      '-extensions',
      'ext',
    ],
  ]).catch(async () => {
    // Older OpenSSL requires a request section in the configuration, so the extensions are arguments.
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Test TSA', '-days', '3'],
      ...['-keyout', file('tsa.key'), '-out', file('tsa.crt')],
      ...[
        '-addext',
        'extendedKeyUsage=critical,timeStamping',
        '-addext',
        'keyUsage=critical,digitalSignature',
      ],
    ]);
  });
}
