/** Each check of `karaar doctor` without its fault and with it. */
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcp, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { migrateToLatest } from '@karaar/db';
import { ownSeal } from '@karaar/sealing';
import { startCa, type OpensslCa } from '@karaar/sealing/testing/openssl-ca';
import { testNats, testPostgres, testRedis, type TestDatabase } from '@karaar/testing/harness';
import { createAuthority, type Authority } from '@karaar/testing/people/authority';
import { startRazorpay, type Razorpay } from '@karaar/testing/providers/razorpay';
import { startS3Stub, type S3Stub } from '@karaar/testing/providers/s3-stub';
import { SERVICES, tables, withDatabase } from '../src/databases.ts';
import type { Check } from '../src/doctor/finding.ts';
import { checkMachine } from '../src/doctor/machine.ts';
import { checkProviders } from '../src/doctor/providers.ts';
import { checkSealKey } from '../src/doctor/seal.ts';
import { checkSite } from '../src/doctor/site.ts';
import { checkState } from '../src/doctor/state.ts';
import { karaar } from './karaar.ts';

jest.setTimeout(120_000);

/** A port that is closed, and that `fetch` allows. */
const CLOSED = '127.0.0.1:3';
const KEK = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
let folder: string;
let razorpay: Razorpay;
let s3: S3Stub;
let authority: Authority;
let ca: OpensslCa;
let database: TestDatabase | undefined;
/** Accepts one token, and states the time that `date` returns. */
let accounts: Server;
let date = () => new Date();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-doctor-'));
  for (const name of ['ca', 'tls', 'blobs', 'backups']) await mkdir(join(folder, name));
  [razorpay, s3] = [await startRazorpay(), await startS3Stub()];
  [authority, ca] = [await createAuthority(join(folder, 'tls')), await startCa(join(folder, 'ca'))];
  accounts = createServer((req, res) => {
    const given = `${req.headers.authorization ?? ''} ${req.url ?? ''}`;
    const right = ['Bearer right', Buffer.from('AC1:right').toString('base64'), 'authkey=right'];
    res.setHeader('date', date().toUTCString());
    // As MSG91 answers to a wrong key.
    if (req.url?.includes('balance'))
      return res.end(given.includes('=right') ? '812' : '{"msgType":"error"}');
    res.writeHead(right.some((one) => given.includes(one)) ? 200 : 401).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => accounts.once('listening', resolve));
});
afterAll(async () => {
  await Promise.all([razorpay.stop(), s3.close(), database?.drop()]);
  accounts.close();
  ca.close();
  await rm(folder, { recursive: true });
});

/** Returns a database with the migrations of cms. */
async function migrated(): Promise<string> {
  database ??= await testPostgres('doctor');
  const { url } = database;
  await withDatabase({ service: 'cms', url }, (db) => migrateToLatest(db, tables.cms.migrations));
  return url;
}
const portOf = (server: { address: () => unknown }) => (server.address() as AddressInfo).port;
const accountsUrl = () => `http://127.0.0.1:${portOf(accounts)}`;

/** Returns what a check says of a thing: `state: text. remedy`. */
async function said(check: Check, what: string, env: Record<string, string | undefined>): Promise<string> {
  const findings = (await check(env)).filter((one) => one.what === what);
  for (const { state, remedy } of findings)
    expect([state === 'ok', !remedy]).toEqual([!remedy, state === 'ok']);
  return findings.map(({ state, text, remedy }) => `${state}: ${text}. ${remedy ?? ''}`).join('\n');
}

describe('the site', () => {
  /** Runs a TLS server with this certificate while `work` runs. */
  async function served<T>(names: string[], days: number, work: (url: string) => Promise<T>): Promise<T> {
    const server = createTls(await authority.issue(names, days), (socket) => void socket.end()).listen(0);
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      return await work(`https://localhost:${portOf(server)}`);
    } finally {
      server.close();
    }
  }
  const tls = (names: string[], days: number) =>
    served(names, days, (PUBLIC_URL) => said(checkSite(), 'TLS', { PUBLIC_URL }));

  it('has a known host and an open port 80', async () => {
    const nowhere = { PUBLIC_URL: 'https://nowhere.invalid' };
    expect(await said(checkSite(), 'DNS', nowhere)).toMatch(/^fault: .*nowhere\.invalid\. Add an A or AAAA/);
    await served(['DNS:localhost'], 90, async (PUBLIC_URL) => {
      expect(await said(checkSite(), 'DNS', { PUBLIC_URL })).toMatch(
        /^warning: localhost is at .*only this network/,
      );
      expect(await said(checkSite(portOf(accounts)), 'port 80', { PUBLIC_URL })).toBe('ok: is open. ');
      expect(await said(checkSite(1), 'port 80', { PUBLIC_URL })).toMatch(/^fault: .*REFUSED.*Open it/);
    });
  });

  it('has a certificate that browsers accept, for this host, and not only for days', async () => {
    const trusted = getCACertificates();
    expect(await tls(['DNS:localhost'], 90)).toMatch(/^fault: browsers refuse the certificate: .*KARAAR_TLS/);
    setDefaultCACertificates([...trusted, readFileSync(authority.certificateFile, 'utf8')]);
    try {
      expect(await tls(['DNS:localhost'], 90)).toMatch(/^ok: the certificate of localhost is valid until 20/);
      expect(await tls(['DNS:localhost'], 9)).toMatch(/^warning: .*did not renew it/);
      expect(await tls(['DNS:localhost'], -1)).toMatch(/^fault: the certificate of localhost ended on 20/);
      expect(await tls(['DNS:other.example'], 90)).toMatch(
        /^fault: the certificate is for DNS:other\.example/,
      );
    } finally {
      setDefaultCACertificates(trusted);
    }
    expect(await said(checkSite(), 'TLS', { PUBLIC_URL: 'https://localhost:1' })).toMatch(
      /^fault: .*REFUSED.*Open port 1 /,
    );
  });
});

describe('the accounts', () => {
  const provider = (what: string, env: Record<string, string>) => said(checkProviders, what, env);

  it.each(['twilio', 'msg91'])('%s', async (SMS_PROVIDER) => {
    const env = { SMS_PROVIDER, SMS_ACCOUNT_SID: 'AC1', SMS_API_URL: accountsUrl() };
    expect(await provider('SMS', { ...env, SMS_AUTH_TOKEN: 'right' })).toMatch(
      /^ok: .* accepts the credentials/,
    );
    expect(await provider('SMS', { ...env, SMS_AUTH_TOKEN: 'wrong' })).toMatch(
      /^(fault|warning): .*SMS_AUTH_TOKEN/,
    );
    expect(await provider('SMS', { ...env, SMS_AUTH_TOKEN: 'a', SMS_API_URL: `http://${CLOSED}` })).toMatch(
      /^fault: .*REFUSED.*HTTPS/,
    );
    expect(await provider('SMS', {})).toMatch(/^fault: .*SMS_AUTH_TOKEN is required/);
  });

  it('cards and WhatsApp', async () => {
    expect(await provider('cards', razorpay.env)).toMatch(/^ok: /);
    const wrong = { ...razorpay.env, RAZORPAY_KEY_SECRET: 'another' };
    expect(await provider('cards', wrong)).toMatch(
      /^fault: .*refuses the credentials \(401\).*RAZORPAY_KEY_SECRET/,
    );
    const env = { WHATSAPP_PHONE_NUMBER_ID: '1065', WHATSAPP_API_URL: accountsUrl() };
    expect(await provider('WhatsApp', { ...env, WHATSAPP_ACCESS_TOKEN: 'right' })).toMatch(/^ok: /);
    expect(await provider('WhatsApp', { ...env, WHATSAPP_ACCESS_TOKEN: 'wrong' })).toMatch(
      /^fault: .*ACCESS_TOKEN/,
    );
    expect(await provider('WhatsApp', {})).toBe('ok: is not used. ');
  });

  it('mail: signs in and sends nothing', async () => {
    const lines: string[] = [];
    const server = createTcp((socket) => {
      socket.write('220 mail\r\n');
      socket.on('data', (data) => {
        const line = data.toString().trim();
        lines.push(line.split(' ')[0] ?? '');
        if (line.startsWith('EHLO')) socket.write('250-mail\r\n250 AUTH PLAIN\r\n');
        else if (line.startsWith('AUTH'))
          socket.write(
            Buffer.from(line.slice(11), 'base64').toString().endsWith('right') ? '235 ok\r\n' : '535 no\r\n',
          );
        else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('502 no\r\n');
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const env = {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(portOf(server)),
      SMTP_TLS: 'none',
      SMTP_USER: 'karaar',
    };
    expect(await provider('mail', { ...env, SMTP_PASSWORD: 'right' })).toMatch(
      /^ok: 127\.0\.0\.1 accepts the sign-in/,
    );
    expect(await provider('mail', { ...env, SMTP_PASSWORD: 'wrong' })).toMatch(
      /^fault: .*535.*SMTP_PASSWORD/,
    );
    expect(await provider('mail', { ...env, SMTP_TLS: 'starttls' })).toMatch(/^fault: .*SMTP_TLS/);
    server.close();
    expect(await provider('mail', env)).toMatch(/^fault: .*REFUSED/);
    expect(await provider('mail', {})).toMatch(/^fault: SMTP_HOST is not set/);
    expect(lines.filter((word) => !['EHLO', 'AUTH', 'QUIT', 'STARTTLS'].includes(word))).toEqual([]);
  });
});

describe('the state', () => {
  it('databases answer and are migrated', async () => {
    const url = await migrated();
    const env = {
      CMS_DATABASE_URL: url,
      WALLET_DATABASE_URL: url,
      AUTH_DATABASE_URL: `postgres://${CLOSED}/x`,
    };
    expect(await said(checkState, 'database of cms', env)).toBe('ok: answers and is migrated. ');
    expect(await said(checkState, 'database of wallet', env)).toMatch(
      /^fault: The database is of another line/,
    );
    expect(await said(checkState, 'database of auth', env)).toMatch(/^fault: .*REFUSED.*Start it/);
    expect(await said(checkState, 'database of payments', env)).toMatch(
      /^fault: .*ADMIN_DATABASE_URL is required/,
    );
    const empty = await testPostgres('doctor-empty');
    const unmigrated = { CMS_DATABASE_URL: empty.url };
    expect(await said(checkState, 'database of cms', unmigrated)).toMatch(
      /^fault: 1 migrations wait: .*Start cms/,
    );
    await empty.drop();
  });

  it('broker and Redis answer', async () => {
    const [NATS_URL, REDIS_URL] = [await testNats(), await testRedis()];
    expect(await said(checkState, 'broker', { NATS_URL })).toBe('ok: answers. ');
    expect(await said(checkState, 'Redis', { REDIS_URL })).toBe('ok: answers. ');
    expect(await said(checkState, 'broker', { NATS_URL: `nats://${CLOSED}` })).toMatch(/^fault: .*Start it/);
    expect(await said(checkState, 'Redis', { REDIS_URL: `redis://${CLOSED}` })).toMatch(/^fault: .*REFUSED/);
    expect(await said(checkState, 'Redis', {})).toMatch(/^warning: is not checked, because REDIS_URL is not/);
  });

  it('files can be read', async () => {
    const here = { AUTH_BLOB_KEK: KEK, BLOB_DIR: join(folder, 'blobs') };
    expect(await said(checkState, 'files of auth', here)).toMatch(/^ok: .*blobs can be read/);
    expect(await said(checkState, 'files of auth', { ...here, BLOB_DIR: '/nowhere' })).toMatch(
      /^fault: .*no such file/,
    );
    expect(await said(checkState, 'files of documents', here)).toMatch(/^fault: .*BLOB_KEK/);
    const [AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY] = ['id', 'key'];
    Object.assign(process.env, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
    const bucket = {
      AUTH_BLOB_KEK: KEK,
      ...{
        BLOB_S3_BUCKET: s3.bucket,
        BLOB_S3_REGION: 'x',
        BLOB_S3_ENDPOINT: s3.url,
        BLOB_S3_PATH_STYLE: 'true',
      },
    };
    expect(await said(checkState, 'files of auth', bucket)).toMatch(/^ok: /);
    s3.fail = () => 403;
    expect(await said(checkState, 'files of auth', bucket)).toMatch(/^fault: .*credentials of the bucket/);
  });
});

describe('the seal', () => {
  const seal = (env: Record<string, string>) => said(checkSealKey, 'seal', env);
  async function bought(name: string, days: number, ...more: string[]) {
    await ca.issue(join(folder, 'ca'), name, ['keyUsage=critical,digitalSignature', ...more], days);
    return (await ca.p12(join(folder, 'ca'), name, 'p')).toString('base64');
  }

  it('is there, opens, is for documents, known to readers, and valid for months', async () => {
    expect(await seal({})).toMatch(/^warning: is not checked, because neither SEAL_P12 nor .* is set here/);
    expect(await seal(await ownSeal('k.example'))).toMatch(
      /^warning: Karaar seal of k\.example, .* own authority/,
    );
    const SEAL_P12 = await bought('fit', 80);
    expect(await seal({ SEAL_P12, SEAL_P12_PASSWORD: 'p' })).toMatch(/^ok: Test fit, valid until/);
    expect(await seal({ SEAL_P12, SEAL_P12_PASSWORD: 'q' })).toMatch(/^fault: .*wrong password/);
    expect(await seal({ SEAL_P12: await bought('late', 40), SEAL_P12_PASSWORD: 'p' })).toMatch(
      /^warning: .*Order the next/,
    );
    const web = await bought('web', 80, 'extendedKeyUsage=serverAuth');
    expect(await seal({ SEAL_P12: web, SEAL_P12_PASSWORD: 'p' })).toMatch(/^fault: .*for a web server/);
  });
});

describe('the machine', () => {
  const machine = (what: string, env: Record<string, string> = {}) =>
    said(checkMachine, what, { RAZORPAY_API_URL: accountsUrl(), ...env });

  it('has the right time', async () => {
    expect(await machine('clock', { AUTH_DATABASE_URL: await migrated() })).toMatch(
      /^ok: agrees with 127[^\n]*\nok: agrees with PostgreSQL/,
    );
    date = () => new Date(Date.now() - 3_600_000);
    expect(await machine('clock')).toMatch(
      /^fault: differs from 127\.0\.0\.1:\d+ by 3\d\d\d seconds\. Switch on time/,
    );
    expect(await machine('clock', { RAZORPAY_API_URL: `http://${CLOSED}` })).toMatch(/^fault: .*REFUSED/);
  });

  it('has space and a backup of tonight', async () => {
    const BACKUPS_DIR = join(folder, 'backups');
    expect(await machine('disk', { BLOB_DIR: '/proc' })).toMatch(/^fault: \/proc has 0\.0 GB free/);
    expect(await machine('disk', { BLOB_DIR: '/nowhere' })).toMatch(/^fault: .*Mount \/nowhere/);
    expect(await machine('disk', { BLOB_DIR: folder })).toMatch(/ has \d+\.\d GB free of \d/);
    expect(await machine('backup', { BACKUPS_DIR })).toMatch(/^fault: .*has none.*BACKUP_RECIPIENTS/);
    const made = join(BACKUPS_DIR, '20261129T013000Z');
    await mkdir(made);
    expect(await machine('backup', { BACKUPS_DIR })).toMatch(
      /^ok: the newest, 20261129T013000Z, is 0 hours old/,
    );
    const before = new Date(Date.now() - 30 * 3_600_000);
    await utimes(made, before, before);
    expect(await machine('backup', { BACKUPS_DIR })).toMatch(/^fault: .*is 30 hours old/);
    expect(await machine('backup')).toBe('');
  });
});

it('prints every finding, exits with 1 for a fault, and never prints a secret', async () => {
  const secrets = Object.fromEntries(
    SERVICES.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, `postgres://u:of-${name}@${CLOSED}/x`]),
  );
  const env = {
    ...secrets,
    ...{ NATS_URL: `nats://ops:of-nats@${CLOSED}`, REDIS_URL: `redis://a:of-redis@${CLOSED}` },
    ...{ SMS_AUTH_TOKEN: 'of-the-sms', SMS_ACCOUNT_SID: 'AC1', SMS_API_URL: `http://of-the-sms@${CLOSED}` },
    ...{
      RAZORPAY_KEY_ID: 'of-cards-id',
      RAZORPAY_KEY_SECRET: 'of-cards',
      RAZORPAY_API_URL: `http://${CLOSED}`,
    },
    ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: '1', SMTP_PASSWORD: 'of-mail', SMTP_USER: 'u' },
    ...{ PUBLIC_URL: 'https://localhost:1', SEAL_P12: 'AAAA', SEAL_P12_PASSWORD: 'of-seal' },
  };
  const { code, text } = await karaar(['doctor'], env);
  expect(code).toBe(1);
  const labels = text
    .trim()
    .split('\n')
    .map((line) => /^(ok|warning|FAULT) +[\w ]+: .+\.$/.test(line));
  expect(labels.length).toBeGreaterThan(18);
  expect([labels.every(Boolean), text]).toEqual([true, text]);
  expect(text).not.toMatch(/of-/);
});
