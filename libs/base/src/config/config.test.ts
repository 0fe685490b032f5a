import { EXPOSED } from '@karaar/contracts/exposure';
import { Type } from 'typebox';
import { anyOf, baseEnv, ConfigError, loadConfig, refuseExposed, refuseInProduction } from './index.ts';

function faultsOf(run: () => unknown) {
  try {
    run();
  } catch (err) {
    if (err instanceof ConfigError) return err;
    throw err;
  }
  throw new Error('It was taken');
}

const schema = Type.Object({
  ...baseEnv,
  DATABASE_URL: Type.String({ pattern: '^postgres://', errorMessage: 'must be a postgres:// URL' }),
  SEALING: Type.Boolean({ default: true }),
  RATE: Type.Number({ minimum: 0.01 }),
  ORIGINS: Type.Optional(Type.Array(Type.String())),
  TSA_URL: Type.Optional(Type.String()),
});

const good = { SERVICE_NAME: 'wallet', PORT: '3001', DATABASE_URL: 'postgres://db/wallet', RATE: '1.5' };

describe('loadConfig', () => {
  it('converts strings and fills defaults', () => {
    expect(loadConfig(schema, { ...good, SEALING: 'false', ORIGINS: 'https://a, https://b,' })).toEqual({
      NODE_ENV: 'development',
      SERVICE_NAME: 'wallet',
      HOST: '127.0.0.1',
      PORT: 3001,
      LOG_LEVEL: 'info',
      DRAIN_WAIT_MS: 0,
      TRACE_SAMPLE_RATIO: 0.1,
      DATABASE_URL: 'postgres://db/wallet',
      SEALING: false,
      RATE: 1.5,
      ORIGINS: ['https://a', 'https://b'],
    });
  });

  it('lists every fault at once, by name', () => {
    const err = faultsOf(() =>
      loadConfig(schema, {
        NODE_ENV: 'prod',
        PORT: '70000',
        DATABASE_URL: 'mysql://x',
        SEALING: 'maybe',
        RATE: '',
      }),
    );
    expect(err.faults).toEqual([
      { name: 'NODE_ENV', problem: 'must be one of development, test, production' },
      { name: 'SERVICE_NAME', problem: 'is required' },
      { name: 'PORT', problem: 'must be at most 65535' },
      { name: 'DATABASE_URL', problem: 'must be a postgres:// URL' },
      { name: 'SEALING', problem: 'must be true or false' },
      { name: 'RATE', problem: 'is required' },
    ]);
    expect(err.message).toContain('has 6 faults');
    for (const fault of err.faults) expect(err.message).toContain(`${fault.name} ${fault.problem}`);
  });

  it('does not repeat a value, which may be a secret', () => {
    const err = faultsOf(() => loadConfig(schema, { ...good, DATABASE_URL: 'hunter2-in-the-wrong-place' }));
    expect(err.message).not.toContain('hunter2');
  });

  it('treats an empty variable as not set', () => {
    expect(loadConfig(schema, { ...good, TSA_URL: '', SEALING: '' })).toMatchObject({ SEALING: true });
    expect(loadConfig(schema, { ...good, TSA_URL: '' })).not.toHaveProperty('TSA_URL');
  });

  it('reads only variables in the schema, and returns a frozen object', () => {
    const cfg = loadConfig(schema, { ...good, HOME: '/root' });
    expect(cfg).not.toHaveProperty('HOME');
    expect(() => Object.assign(cfg, { PORT: 1 })).toThrow(TypeError);
  });
});

describe('refuseInProduction', () => {
  const rules = [
    { name: 'SMS_PROVIDER', refuse: anyOf('sandbox'), because: 'is the sandbox' },
    { name: 'BLOB_KEK', refuse: anyOf('development-key'), because: 'is the development key; set an own one' },
  ] as const;
  const cfg = { NODE_ENV: 'production', SMS_PROVIDER: 'sandbox', BLOB_KEK: 'development-key' };

  it('lists every default that must not be used in production, without its value', () => {
    const err = faultsOf(() => refuseInProduction(cfg, rules));
    expect(err.faults.map((fault) => fault.name)).toEqual(['SMS_PROVIDER', 'BLOB_KEK']);
    expect(err.message).not.toContain('development-key');
  });

  it('accepts custom values in production, and defaults elsewhere', () => {
    expect(() => refuseInProduction({ ...cfg, SMS_PROVIDER: 'msg91', BLOB_KEK: 'own' }, rules)).not.toThrow();
    expect(() => refuseInProduction({ ...cfg, NODE_ENV: 'development' }, rules)).not.toThrow();
  });
});

describe('refuseExposed', () => {
  const rules = [
    { name: 'SEED_DEMO', when: (seed: unknown) => seed === true, because: 'makes known accounts' },
    { name: 'SMS_PROVIDER', when: anyOf('sandbox'), because: 'shows codes' },
  ] as const;
  const cfg = { HOST: '0.0.0.0', SEED_DEMO: true, SMS_PROVIDER: 'sandbox' };

  it.each(['0.0.0.0', '::', '192.168.1.4', 'example.org', '127.0.0.1.example.org', '1127.0.0.1'])(
    'rejects development on %s, and names the reason',
    (HOST) => {
      const { faults, message } = faultsOf(() => refuseExposed({ ...cfg, HOST }, rules));
      expect(faults.map(({ name }) => name)).toEqual(['SEED_DEMO', 'SMS_PROVIDER']);
      expect(message).toContain('EXPOSED_DEVELOPMENT=anybody-can-sign-in');
    },
  );

  it.each(['127.0.0.1', '127.3.2.1', 'localhost', '::1'])('accepts it on %s', (HOST) => {
    expect(() => refuseExposed({ ...cfg, HOST }, rules)).not.toThrow();
  });

  it('accepts it anywhere with the variable, and accepts any address outside development', () => {
    expect(() => refuseExposed({ ...cfg, EXPOSED_DEVELOPMENT: EXPOSED }, rules)).not.toThrow();
    expect(() => refuseExposed({ ...cfg, EXPOSED_DEVELOPMENT: 'yes' }, rules)).toThrow();
    expect(() => refuseExposed({ ...cfg, SEED_DEMO: false, SMS_PROVIDER: 'msg91' }, rules)).not.toThrow();
  });
});
