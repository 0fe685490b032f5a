import { Type, type Static, type TObject } from 'typebox';
import { ConfigError } from '@karaar/base/config';
import type { ExposedRule, ProductionRule } from '@karaar/base/config';

/** The environment of a service that sends SMS; spread it into the service's own schema. */
export const smsEnv = {
  /** The sandbox implements Twilio's protocol on loopback; production rejects it. */
  SMS_PROVIDER: Type.Union([Type.Literal('twilio'), Type.Literal('msg91'), Type.Literal('sandbox')], {
    default: 'twilio',
  }),
  /** The provider's own address by default. */
  SMS_API_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  SMS_ACCOUNT_SID: Type.Optional(Type.String({ minLength: 1 })),
  /** Twilio's auth token, or MSG91's authkey. */
  SMS_AUTH_TOKEN: Type.String({ minLength: 1 }),
  /** Sender: a number, a messaging service (`MG…`) or a name. */
  SMS_FROM: Type.String({ minLength: 1, default: 'KARAAR' }),
  /** MSG91's template ids by our names: `sign-in-code=65f0…, register-first=65f1…`. */
  SMS_TEMPLATES: Type.Array(Type.String({ pattern: '^[a-z0-9-]+=[A-Za-z0-9_-]+$' }), { default: [] }),
  /** Timeout of one attempt in milliseconds. */
  SMS_TIMEOUT_MS: Type.Integer({ minimum: 100, default: 5_000 }),
};
export type SmsEnv = Static<TObject<typeof smsEnv>>;

export type SmsOptions = {
  apiUrl: string;
  from: string;
  timeoutMs: number;
} & (
  | { provider: 'twilio'; accountSid: string; authToken: string }
  | { provider: 'msg91'; authKey: string; templates: ReadonlyMap<string, string> }
);

const API_URLS = { twilio: 'https://api.twilio.com', msg91: 'https://control.msg91.com' } as const;

/**
 * Returns the configured provider.
 * @param templates names of all texts that the service sends; MSG91 needs an id for each
 * @throws ConfigError that lists the missing settings of the chosen provider
 */
export function smsOptionsFromEnv(env: SmsEnv, templates: readonly string[]): SmsOptions {
  const provider = env.SMS_PROVIDER === 'msg91' ? 'msg91' : 'twilio';
  const faults: { name: string; problem: string }[] = [];
  if (env.SMS_PROVIDER === 'sandbox' && !env.SMS_API_URL)
    faults.push({ name: 'SMS_API_URL', problem: 'is required with the sandbox' });
  if (provider === 'twilio' && !env.SMS_ACCOUNT_SID)
    faults.push({ name: 'SMS_ACCOUNT_SID', problem: `is required with SMS_PROVIDER=${env.SMS_PROVIDER}` });
  const known = new Map(env.SMS_TEMPLATES.map((pair) => pair.split('=', 2) as [string, string]));
  for (const name of templates)
    if (provider === 'msg91' && !known.has(name))
      faults.push({ name: 'SMS_TEMPLATES', problem: `has no template id for ${name}` });
  if (faults.length > 0) throw new ConfigError(faults);
  const common = {
    apiUrl: (env.SMS_API_URL ?? API_URLS[provider]).replace(/\/$/, ''),
    from: env.SMS_FROM,
    timeoutMs: env.SMS_TIMEOUT_MS,
  };
  return provider === 'msg91'
    ? { ...common, provider, authKey: env.SMS_AUTH_TOKEN, templates: known }
    : { ...common, provider, accountSid: env.SMS_ACCOUNT_SID ?? '', authToken: env.SMS_AUTH_TOKEN };
}

/** For `refuseInProduction`: rejects the sandbox and addresses without https. */
export const smsProductionRules = <C extends SmsEnv & { NODE_ENV: string }>(): ProductionRule<C>[] => [
  { name: 'SMS_PROVIDER', refuse: (provider) => provider === 'sandbox', because: 'is the sandbox' },
  {
    name: 'SMS_API_URL',
    refuse: (url) => url !== undefined && !String(url).startsWith('https://'),
    because: 'is not https',
  },
];

/** For `refuseExposed`: the sandbox shows every code to anyone who can reach it. */
export const smsExposedRule = <C extends SmsEnv & { HOST: string }>(): ExposedRule<C> => ({
  name: 'SMS_PROVIDER',
  when: (provider) => provider === 'sandbox',
  because: 'is the sandbox, which shows the codes of all phones',
});
