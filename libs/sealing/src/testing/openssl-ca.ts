import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A certificate authority on loopback, made with OpenSSL, with an OCSP responder and revocation lists. */
export interface OpensslCa {
  certificate: string;
  /** Certificate extensions with the addresses of the OCSP responder and the revocation list. */
  addresses: { ocsp: string; crl: string };
  /** Creates `<name>.key` and `<name>.crt` in `dir` with these extensions (in OpenSSL's syntax). */
  issue(dir: string, name: string, extensions: readonly string[], days?: number): Promise<void>;
  revoke(crt: string): Promise<void>;
  /** Returns the PKCS#12 of an issued key with the chain. */
  p12(dir: string, name: string, password: string): Promise<Buffer>;
  count(): number;
  /** Answers all further requests with this; undefined restores real answers. */
  answerWith(answer: Buffer | 'nothing' | undefined): void;
  close(): void;
}

const CONFIG = (dir: string): string => `
[ca]
default_ca = own
[own]
database = ${dir}/index.txt
new_certs_dir = ${dir}
serial = ${dir}/serial
crlnumber = ${dir}/crlnumber
certificate = ${dir}/ca.crt
private_key = ${dir}/ca.key
default_md = sha256
default_days = 30
default_crl_days = 1
policy = any
unique_subject = no
[any]
commonName = supplied
`;

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export async function startCa(dir: string): Promise<OpensslCa> {
  const file = (name: string): string => join(dir, name);
  await Promise.all([
    writeFile(file('ca.cnf'), CONFIG(dir)),
    writeFile(file('index.txt'), ''),
    writeFile(file('serial'), '4001\n'),
    writeFile(file('crlnumber'), '01\n'),
  ]);
  await run('openssl', [
    ...['req', '-x509', ...EC, '-subj', '/CN=Test CA', '-days', '90'],
    ...['-keyout', file('ca.key'), '-out', file('ca.crt')],
    ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
  ]);
  let answered = 0;
  let instead: Buffer | 'nothing' | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function answer(path: string, query: Buffer): Promise<Buffer> {
    if (path === '/crl') {
      await run('openssl', ['ca', '-config', file('ca.cnf'), '-gencrl', '-out', file('crl.pem')]);
      await run('openssl', ['crl', '-in', file('crl.pem'), '-outform', 'DER', '-out', file('crl.der')]);
      return readFile(file('crl.der'));
    }
    await writeFile(file('request.der'), query);
    await run('openssl', [
      ...['ocsp', '-index', file('index.txt'), '-CA', file('ca.crt'), '-ndays', '1'],
      ...['-rsigner', file('ca.crt'), '-rkey', file('ca.key')],
      ...['-reqin', file('request.der'), '-respout', file('answer.der')],
    ]);
    return readFile(file('answer.der'));
  }

  const server = createServer((request, response) => {
    turn = turn
      .then(async () => {
        const query = await bodyOf(request);
        answered += 1;
        if (instead === 'nothing') return response.destroy();
        response.end(instead ?? (await answer(request.url ?? '', query)));
      })
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    certificate: await readFile(file('ca.crt'), 'utf8'),
    addresses: {
      ocsp: `authorityInfoAccess=OCSP;URI:${url}/ocsp`,
      crl: `crlDistributionPoints=URI:${url}/crl`,
    },
    async issue(to, name, extensions, days = 30) {
      const [key, crt, csr] = ['key', 'crt', 'csr'].map((end) => join(to, `${name}.${end}`)) as [
        string,
        string,
        string,
      ];
      await writeFile(join(to, `${name}.ext`), extensions.join('\n'));
      await run('openssl', ['req', ...EC, '-subj', `/CN=Test ${name}`, '-keyout', key, '-out', csr]);
      await run('openssl', [
        ...['ca', '-batch', '-notext', '-config', file('ca.cnf'), '-extfile', join(to, `${name}.ext`)],
        ...['-in', csr, '-out', crt, '-days', String(days)],
      ]);
    },
    async revoke(crt) {
      await run('openssl', ['ca', '-config', file('ca.cnf'), '-revoke', crt]);
    },
    async p12(from, name, password) {
      const out = join(from, `${name}.p12`);
      await run('openssl', [
        ...['pkcs12', '-export', '-inkey', join(from, `${name}.key`), '-in', join(from, `${name}.crt`)],
        ...['-certfile', file('ca.crt'), '-passout', `pass:${password}`, '-out', out],
      ]);
      return readFile(out);
    },
    count: () => answered,
    answerWith: (next) => (instead = next),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
