import { readConfig } from './config.ts';

const env = {
  PORT: '8080',
  NATS_URL: 'nats://127.0.0.1:4222',
  REDIS_URL: 'redis://127.0.0.1:6379',
  AUTH_URL: 'http://127.0.0.1:1',
  DOCUMENTS_URL: 'http://127.0.0.1:2',
  PAYMENTS_URL: 'http://127.0.0.1:3',
  WALLET_URL: 'http://127.0.0.1:4',
  MESSAGING_URL: 'http://127.0.0.1:5',
  VISION_URL: 'http://127.0.0.1:6',
  CMS_URL: 'http://127.0.0.1:7',
  NOTIFICATIONS_URL: 'http://127.0.0.1:10',
};

describe('readConfig', () => {
  it('needs only the services in development', () => {
    const config = readConfig(env);
    expect(config).toMatchObject({
      SERVICE_NAME: 'gateway',
      PORT: 8080,
      DEADLINE_MS: 15_000,
      TRUSTED_PROXIES: [],
    });
    expect(config.WEB_DIR).toMatch(/apps$/);
  });

  it('names every missing service at once', () => {
    expect(() => readConfig({ PORT: '8080' })).toThrow(/AUTH_URL[\s\S]*WALLET_URL[\s\S]*CMS_URL/);
  });

  it('refuses a sandbox, and a missing checkout origin, in production', () => {
    const live = { ...env, NODE_ENV: 'production', PUBLIC_URL: 'https://karaar.example' };
    const sandbox = { ...live, SANDBOX_URL: 'http://127.0.0.1:8' };
    expect(() => readConfig(sandbox)).toThrow(/SANDBOX_URL[\s\S]*CHECKOUT_ORIGINS/);
    const checkout = readConfig({ ...live, CHECKOUT_ORIGINS: 'https://a.example,https://b.example' });
    expect(checkout.CHECKOUT_ORIGINS).toEqual(['https://a.example', 'https://b.example']);
    expect(() =>
      readConfig({ ...live, CHECKOUT_ORIGINS: "https://a.example; script-src 'unsafe-inline'" }),
    ).toThrow(/CHECKOUT_ORIGINS/);
  });
});
