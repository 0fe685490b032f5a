import { statSync } from 'node:fs';
import { join } from 'node:path';
import { serviceCredentials } from '@karaar/contracts/internal';
import { WITH_FILES } from '@karaar/contracts/names';
import { backingPaths } from '@karaar/testing/backing/paths';
import { scratch } from '@karaar/testing/scratch';
import { processEnv, processSpecs, type ProductFacts } from './services.ts';

const { dir, remove } = scratch();
afterAll(() => remove());

const facts: ProductFacts = {
  paths: backingPaths(dir),
  urls: Object.fromEntries(
    processSpecs.map(({ name }) => [name, `http://127.0.0.1/${name}`]),
  ) as ProductFacts['urls'],
  innerUrls: Object.fromEntries(
    processSpecs.map(({ name }) => [name, `http://127.0.0.1/inner/${name}`]),
  ) as ProductFacts['innerUrls'],
  publicUrl: 'http://localhost:8080',
  mailPort: 2525,
  natsUrl: 'nats://n',
  redisUrl: 'redis://r',
  databaseUrls: { wallet: { owner: 'postgresql://o', runtime: 'postgresql://w' } },
  chromium: '/usr/bin/chromium',
  soffice: undefined,
};
const spec = (name: string): (typeof processSpecs)[number] => {
  const found = processSpecs.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('processEnv', () => {
  it('gives a service its own database, and shared keys that stay the same at every start', () => {
    const wallet = processEnv(spec('wallet'), facts, { outer: 4001, inner: 4101 }, {});
    expect(wallet).toMatchObject({
      SERVICE_NAME: 'wallet',
      PORT: '4001',
      INTERNAL_PORT: '4101',
      HOST: '127.0.0.1',
      DATABASE_URL: 'postgresql://w',
      MIGRATION_DATABASE_URL: 'postgresql://o',
      AUTH_URL: facts.urls.auth,
    });
    const sandbox = processEnv(spec('sandbox'), facts, { outer: 4002, inner: 4102 }, {});
    expect(sandbox['RAZORPAY_KEY_SECRET']).toBe(wallet['RAZORPAY_KEY_SECRET']);
    expect(processEnv(spec('wallet'), facts, { outer: 4001, inner: 4101 }, {})).toEqual(wallet);
  });

  it('lets the caller override variables', () => {
    expect(
      processEnv(
        spec('documents'),
        facts,
        { outer: 1, inner: 2 },
        { LOG_LEVEL: 'warn', CHROMIUM_PATH: '/x' },
      ),
    ).toMatchObject({ LOG_LEVEL: 'warn', CHROMIUM_PATH: '/x' });
  });

  it('passes on no variable of npm, Nx or Jest', () => {
    process.env['npm_config_secret'] = 'x';
    const names = Object.keys(processEnv(spec('auth'), facts, { outer: 1, inner: 2 }, {}));
    delete process.env['npm_config_secret'];
    expect(names.filter((name) => /^(npm_|NX_|JEST_)/.test(name))).toEqual([]);
  });

  it('gives the converter only an address, its programs and a folder', () => {
    process.env['HTTPS_PROXY'] = 'http://user:hidden@proxy';
    const env = processEnv(spec('converter'), facts, { outer: 1, inner: 2 }, {});
    delete process.env['HTTPS_PROXY'];
    const own = [
      'CHROMIUM_PATH',
      'SOFFICE_PATH',
      'WORK_DIR',
      'SERVICE_NAME',
      'HOST',
      'PORT',
      'INTERNAL_PORT',
    ];
    const common = [
      'PATH',
      'HOME',
      'USER',
      'LANG',
      'TZ',
      'TMPDIR',
      'NODE_ENV',
      'NODE_COMPILE_CACHE',
      'LOG_LEVEL',
    ];
    const given = Object.keys(env).filter((name) => env[name] !== undefined);
    expect(given.filter((name) => ![...own, ...common].includes(name))).toEqual([]);
  });

  it('gives each service with files a key of its own, of 32 bytes', () => {
    const rings = WITH_FILES.map((name) =>
      String(processEnv(spec(name), facts, { outer: 1, inner: 2 }, {})['BLOB_KEK']).split(':'),
    );
    expect(rings.map(([id]) => id)).toEqual(['dev-auth', 'dev-documents', 'dev-messaging']);
    expect(new Set(rings.map(([, key]) => key)).size).toBe(3);
    for (const [, key = ''] of rings) expect(Buffer.from(key, 'base64')).toHaveLength(32);
  });
});

describe('internal ports', () => {
  const envOf = (name: string) => processEnv(spec(name), facts, { outer: 1, inner: 2 }, {});

  it('exist for every process except the gateway and the sandbox', () => {
    const without = processSpecs.filter(({ name }) => envOf(name)['INTERNAL_PORT'] === undefined);
    expect(without.map(({ name }) => name)).toEqual(['sandbox', 'gateway']);
  });

  it('are in no variable of the gateway', () => {
    const values = Object.values(envOf('gateway')).join(' ');
    for (const url of Object.values(facts.innerUrls)) expect(values).not.toContain(url);
  });

  it('use service credentials that only caller and callee have, in files that only their owner can read', () => {
    const told = processSpecs.flatMap(({ name }) =>
      Object.keys(envOf(name))
        .filter((variable) => variable.endsWith('_SECRETS') && variable.includes('_TO_'))
        .map((variable) => `${name} ${variable}`),
    );
    const ends = serviceCredentials.flatMap(({ caller, callee, variable }) => [
      `${caller} ${variable}`,
      `${callee} ${variable}`,
    ]);
    expect(told.sort()).toEqual(ends.sort());
    for (const { caller, callee, variable } of serviceCredentials) {
      expect(envOf(caller)[variable]).toMatch(/^dev-[\w-]{43}$/);
      expect(envOf(callee)[variable]).toBe(envOf(caller)[variable]);
      expect(statSync(join(dir, 'secrets', `service-credential-${caller}-${callee}`)).mode & 0o777).toBe(
        0o600,
      );
    }
    expect(new Set(serviceCredentials.map(({ caller, variable }) => envOf(caller)[variable])).size).toBe(
      serviceCredentials.length,
    );
  });
});
