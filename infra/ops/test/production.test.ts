/** Every process in production accepts the values of `make-secrets` and of the production compose file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig as converter } from '@karaar/service-converter/config';
import { cloneRoot } from '@karaar/testing/roots';
import { readConfig as gateway } from '@karaar/gateway/config';
import { readConfig as brokerAdmin } from '@karaar/service-broker-admin/config';
import { makeEntries } from '../src/secrets/entries.ts';
import { blobConfigFromEnv } from '@karaar/storage/blobs';
import { readConfig as auth } from '@karaar/service-auth/config';
import { readConfig as cms } from '@karaar/service-cms/config';
import { readConfig as documents } from '@karaar/service-documents/config';
import { readConfig as messaging } from '@karaar/service-messaging/config';
import { readConfig as notifications } from '@karaar/service-notifications/config';
import { readConfig as payments } from '@karaar/service-payments/config';
import { readConfig as vision } from '@karaar/service-vision/config';
import { readConfig as wallet } from '@karaar/service-wallet/config';
import { readConfig as witness } from '@karaar/service-witness/config';
import { parse } from 'yaml';

const readers = {
  auth,
  cms,
  converter,
  documents,
  gateway,
  'broker-admin': brokerAdmin,
  messaging,
  notifications,
  payments,
  vision,
  wallet,
  witness,
};
const BY_IMAGE = {
  HOST: '0.0.0.0',
  PORT: '8080',
  INTERNAL_HOST: '0.0.0.0',
  INTERNAL_PORT: '9090',
  WORK_DIR: '/tmp/work',
  CHROMIUM_PATH: '/usr/bin/chromium',
  SOFFICE_PATH: '/usr/bin/soffice',
  MODELS_DIR: '/models',
};
const given = {
  SMS_ACCOUNT_SID: 'AC1',
  SMS_AUTH_TOKEN: 'token',
  SMTP_HOST: 'mail.example',
  RAZORPAY_KEY_ID: 'rzp_live_1',
  RAZORPAY_KEY_SECRET: 'secret',
  RAZORPAY_WEBHOOK_SECRETS: 'webhook',
  SEAL_P12: 'AAAA',
  SEAL_P12_PASSWORD: 'password',
};
const { services } = parse(
  readFileSync(join(cloneRoot, 'infra', 'docker', 'production', 'compose.yaml'), 'utf8'),
  { merge: true, maxAliasCount: -1 },
) as { services: Record<string, { environment?: Record<string, string> }> };

/** Substitutes the variables in a text of the compose file. */
const fill = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
    (_, name: string, fallback: string | undefined) => variables[name] ?? fallback ?? '',
  );

const environmentOf = (name: string, use: 'development' | 'production'): Record<string, string> => {
  const { variables } = makeEntries('karaar.example', given, use);
  const filled = Object.entries(services[name]?.environment ?? {}).map(([variable, text]) => [
    variable,
    fill(String(text), { ...variables, KARAAR_HOST: 'karaar.example' })
      // The scanner is switched off.
      .replace('${COMPOSE_PROFILES:+tcp://clamd:3310}', ''),
  ]);
  return { ...BY_IMAGE, ...Object.fromEntries(filled) };
};

it.each(Object.entries(readers))('%s', (name, read) => {
  const env = environmentOf(name, 'production');
  expect(env['NODE_ENV']).toBe('production');
  expect(read(env)).toMatchObject({ NODE_ENV: 'production' });
});

it('notifications has WhatsApp with a complete account only', () => {
  const env = environmentOf('notifications', 'production');
  const account = {
    ...env,
    WHATSAPP_PHONE_NUMBER_ID: '1065',
    WHATSAPP_ACCESS_TOKEN: 't',
    WHATSAPP_APP_SECRET: 's',
  };
  expect(env['WHATSAPP_PHONE_NUMBER_ID']).toBe('');
  expect(() => readers.notifications(account)).toThrow('WHATSAPP_VERIFY_TOKEN is required with');
  const whole = { ...account, WHATSAPP_VERIFY_TOKEN: 'w' };
  expect(readers.notifications(whole)).toMatchObject({ WHATSAPP_API_URL: expect.stringMatching(/^https:/) });
  expect(() => readers.notifications({ ...whole, WHATSAPP_API_URL: 'http://x' })).toThrow('is not https');
});

it.each(['documents', 'payments', 'vision', 'wallet'] as const)('%s refuses development keys', (name) => {
  expect(() => readers[name](environmentOf(name, 'development'))).toThrow('secret of development');
});

it.each(['auth', 'documents', 'messaging'] as const)(
  '%s accepts its file keys and refuses development keys',
  (name) => {
    const env = environmentOf(name, 'production');
    expect(blobConfigFromEnv(readers[name](env)).service).toBe(name);
    const { BLOB_KEK = '' } = environmentOf(name, 'development');
    expect(() => blobConfigFromEnv({ ...readers[name](env), BLOB_KEK })).toThrow(
      'is not taken in production',
    );
  },
);
