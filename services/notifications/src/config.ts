import { ConfigError, loadConfig, refuseExposed, refuseInProduction } from '@karaar/base/config';
import { serviceEnv } from '@karaar/service';
import { smsEnv, smsExposedRule, smsProductionRules } from '@karaar/sms';
import { Type, type Static } from 'typebox';

export const Config = Type.Object({
  ...serviceEnv,
  ...smsEnv,
  PUBLIC_URL: Type.String({ pattern: '^https?://' }),
  NOTIFICATIONS_SECRET: Type.String({ minLength: 32 }),
  /** Without a mail server, the service sends no e-mails. */
  SMTP_HOST: Type.Optional(Type.String({ minLength: 1 })),
  SMTP_PORT: Type.Integer({ minimum: 1, maximum: 65_535, default: 587 }),
  /** `starttls` and `implicit` (usually port 465) refuse a server without a valid certificate. */
  SMTP_TLS: Type.Union([Type.Literal('starttls'), Type.Literal('implicit'), Type.Literal('none')], {
    default: 'starttls',
  }),
  SMTP_USER: Type.String({ default: '' }),
  SMTP_PASSWORD: Type.String({ default: '' }),
  SMTP_TIMEOUT_MS: Type.Integer({ minimum: 100, default: 15_000 }),
  MAIL_FROM: Type.String({ minLength: 3, default: 'Karaar <no-reply@karaar.localhost>' }),
  /** The rate limit of this process. */
  MAILS_PER_SECOND: Type.Integer({ minimum: 1, maximum: 1_000, default: 10 }),
  /** The longest pause between two attempts while the mail server accepts nothing. */
  MAIL_LONGEST_REST_MS: Type.Integer({ minimum: 100, maximum: 600_000, default: 60_000 }),
  /** Signs e-mails if the mail server does not: domain, selector and private key (PEM). */
  DKIM_DOMAIN: Type.String({ default: '' }),
  DKIM_SELECTOR: Type.String({ default: '' }),
  DKIM_KEY: Type.String({ default: '' }),
  /** The hours in India in which no SMS and no WhatsApp message goes out that can wait: `21-8` from 9 pm to 8 am; `0-0` for none. */
  SMS_QUIET_HOURS: Type.String({ pattern: '^(1?\\d|2[0-3])-(1?\\d|2[0-3])$', default: '21-8' }),
  /** SMS and WhatsApp messages that one user gets within a day from this service; warnings about the account do not count. */
  TEXTS_PER_RECEIVER_AND_DAY: Type.Integer({ minimum: 0, default: 5 }),
  /** WhatsApp Business (Meta's Cloud API). Without a phone number id, the channel does not exist. */
  WHATSAPP_PHONE_NUMBER_ID: Type.String({ pattern: '^\\d*$', default: '' }),
  WHATSAPP_ACCESS_TOKEN: Type.String({ default: '' }),
  /** Signs the webhooks. */
  WHATSAPP_APP_SECRET: Type.String({ default: '' }),
  /** Our own word, by which Meta checks the address of the webhook. */
  WHATSAPP_VERIFY_TOKEN: Type.String({ default: '' }),
  WHATSAPP_API_URL: Type.String({ pattern: '^https?://', default: 'https://graph.facebook.com/v23.0' }),
  WHATSAPP_TIMEOUT_MS: Type.Integer({ minimum: 100, default: 5_000 }),
  /** Minutes for which a user's reminders are batched into one e-mail; 0 sends each at once. */
  REMINDERS_BATCH_MIN: Type.Integer({ minimum: 0, maximum: 720, default: 15 }),
  /** Days until a notification is deleted. */
  NOTIFICATION_DAYS: Type.Integer({ minimum: 1, default: 180 }),
});
export type Config = Readonly<Static<typeof Config>>;

const WHATSAPP_KEYS = ['WHATSAPP_ACCESS_TOKEN', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN'] as const;

/** Returns whether the operator has an account of WhatsApp Business. */
export const hasWhatsapp = ({ WHATSAPP_PHONE_NUMBER_ID: id }: Pick<Config, 'WHATSAPP_PHONE_NUMBER_ID'>) =>
  id !== '';

/** Reads the configuration. Throws an error that lists every fault; production refuses unencrypted SMTP. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = loadConfig(Config, env);
  const missing = hasWhatsapp(config) ? WHATSAPP_KEYS.filter((name) => config[name] === '') : [];
  if (missing.length > 0)
    throw new ConfigError(
      missing.map((name) => ({ name, problem: 'is required with WHATSAPP_PHONE_NUMBER_ID' })),
    );
  refuseInProduction(config, [
    { name: 'PUBLIC_URL', refuse: (url) => !String(url).startsWith('https://'), because: 'must be https' },
    { name: 'SMTP_HOST', refuse: (host) => host === undefined, because: 'must name the mail server' },
    { name: 'SMTP_TLS', refuse: (tls) => tls === 'none', because: 'would send e-mails in clear text' },
    {
      name: 'MAIL_FROM',
      refuse: (from) => String(from).includes('karaar.localhost'),
      because: "must be the installation's own sender",
    },
    {
      name: 'WHATSAPP_API_URL',
      refuse: (url) => !String(url).startsWith('https://'),
      because: 'is not https',
    },
    ...smsProductionRules<Config>(),
  ]);
  refuseExposed(config, [smsExposedRule<Config>()]);
  return config;
}
