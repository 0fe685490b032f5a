import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backingPaths } from './backing/paths.ts';
import { checkEntries, processEnv, processSpecs, type ProductFacts } from './services.ts';
import { scratch } from './test-support/scratch.ts';

const { dir, remove } = scratch();
afterAll(() => remove());

const facts: ProductFacts = {
  paths: backingPaths(dir),
  urls: Object.fromEntries(
    processSpecs.map(({ name }) => [name, `http://127.0.0.1/${name}`]),
  ) as ProductFacts['urls'],
  publicUrl: 'http://localhost:8080',
  natsUrl: 'nats://n',
  redisUrl: 'redis://r',
  databaseUrls: { wallet: 'postgresql://w' },
  chromium: '/usr/bin/chromium',
  soffice: undefined,
};
const spec = (name: string): (typeof processSpecs)[number] => {
  const found = processSpecs.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('processEnv', () => {
  it('gives a service its own database and everybody the same keys, at every start', () => {
    const wallet = processEnv(spec('wallet'), facts, 4001, {});
    expect(wallet).toMatchObject({
      SERVICE_NAME: 'wallet',
      PORT: '4001',
      HOST: '127.0.0.1',
      DATABASE_URL: 'postgresql://w',
      AUTH_URL: facts.urls.auth,
    });
    const sandbox = processEnv(spec('sandbox'), facts, 4002, {});
    expect(sandbox['RAZORPAY_KEY_SECRET']).toBe(wallet['RAZORPAY_KEY_SECRET']);
    expect(processEnv(spec('wallet'), facts, 4001, {})).toEqual(wallet);
  });

  it('lets the caller have the last word', () => {
    expect(processEnv(spec('documents'), facts, 1, { LOG_LEVEL: 'warn', CHROMIUM_PATH: '/x' })).toMatchObject(
      { LOG_LEVEL: 'warn', CHROMIUM_PATH: '/x' },
    );
  });

  it('passes nothing of npm, Nx or Jest on', () => {
    process.env['npm_config_secret'] = 'x';
    const names = Object.keys(processEnv(spec('auth'), facts, 1, {}));
    delete process.env['npm_config_secret'];
    expect(names.filter((name) => /^(npm_|NX_|JEST_)/.test(name))).toEqual([]);
  });

  it('gives the key of blobs 32 bytes', () => {
    const [id, key] = (processEnv(spec('documents'), facts, 1, {})['BLOB_KEK'] ?? '').split(':');
    expect(id).toBe('dev');
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
  });
});

describe('checkEntries', () => {
  it('names every process whose code is not there', () => {
    mkdirSync(join(dir, 'services/auth/src'), { recursive: true });
    writeFileSync(join(dir, 'services/auth/src/main.ts'), '');
    const check = (): void => checkEntries([spec('auth'), spec('cms'), spec('gateway')], dir);
    expect(check).toThrow('cms: services/cms/src/main.ts\n  gateway: gateway/src/main.ts');
    expect(check).not.toThrow('services/auth');
  });
});
