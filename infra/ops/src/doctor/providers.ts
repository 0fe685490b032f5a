/** The accounts at providers, each by a request that reads and sends nothing to a person. */
import { loadConfig } from '@karaar/base/config';
import type { Env } from '@karaar/bus/commands';
import { hasWhatsapp, NotificationsConfig, tryMailServer } from '@karaar/service-notifications/ops';
import { WalletConfig } from '@karaar/service-wallet/ops';
import { smsEnv, smsOptionsFromEnv } from '@karaar/sms';
import { Type } from 'typebox';
import { fault, ok, tried, warning, type Check, type Finding } from './finding.ts';

const TIMEOUT_MS = 8_000;
const OUTSIDE = 'Allow this machine outgoing HTTPS, and look at the status page of the provider.';

type Account = { what: string; url: string; headers: Record<string, string>; variables: string };

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

async function account({ what, url, headers, variables }: Account): Promise<Finding> {
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await answer.text();
  const { status } = answer;
  const { host } = new URL(url);
  if (status === 401 || status === 403 || (status === 400 && what === 'WhatsApp'))
    return fault(
      what,
      `${host} refuses the credentials (${status})`,
      `Correct ${variables} and start the services again.`,
    );
  // MSG91 answers 200 with an error in JSON.
  if (!answer.ok || (what === 'SMS' && /"type"\s*:\s*"error"|"msgType"\s*:\s*"error"/.test(text)))
    return warning(
      what,
      `${host} did not confirm the account (${status})`,
      `Look at the account there, then at ${variables}.`,
    );
  return ok(what, `${host} accepts the credentials`);
}

function sms(env: Env): Account {
  const options = smsOptionsFromEnv(loadConfig(Type.Object(smsEnv), env), []);
  if (options.provider === 'msg91')
    return {
      what: 'SMS',
      url: `${options.apiUrl}/api/balance.php?${new URLSearchParams({ authkey: options.authKey, type: '4' })}`,
      headers: {},
      variables: 'SMS_AUTH_TOKEN',
    };
  return {
    what: 'SMS',
    url: `${options.apiUrl}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}/Messages.json?PageSize=1`,
    headers: basic(options.accountSid, options.authToken),
    variables: 'SMS_ACCOUNT_SID and SMS_AUTH_TOKEN',
  };
}

function cards(env: Env): Account {
  const config = loadConfig(
    Type.Pick(WalletConfig, ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_API_URL']),
    env,
  );
  return {
    what: 'cards',
    url: `${config.RAZORPAY_API_URL}/v1/payments?count=1`,
    headers: basic(config.RAZORPAY_KEY_ID, config.RAZORPAY_KEY_SECRET),
    variables: 'RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET',
  };
}

async function whatsapp(env: Env): Promise<Finding> {
  const config = loadConfig(
    Type.Pick(NotificationsConfig, ['WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_ACCESS_TOKEN', 'WHATSAPP_API_URL']),
    env,
  );
  if (!hasWhatsapp(config)) return ok('WhatsApp', 'is not used');
  return account({
    what: 'WhatsApp',
    url: `${config.WHATSAPP_API_URL}/${config.WHATSAPP_PHONE_NUMBER_ID}?fields=verified_name`,
    headers: { authorization: `Bearer ${config.WHATSAPP_ACCESS_TOKEN}` },
    variables: 'WHATSAPP_PHONE_NUMBER_ID and WHATSAPP_ACCESS_TOKEN',
  });
}

/** Signs in at the mail server, over TLS as the service does. */
async function mail(env: Env): Promise<Finding> {
  const host = env['SMTP_HOST'];
  if (!host)
    return fault(
      'mail',
      'SMTP_HOST is not set: no e-mail goes out',
      'Set it with SMTP_USER and SMTP_PASSWORD.',
    );
  await tryMailServer(
    loadConfig(
      Type.Pick(NotificationsConfig, [
        'SMTP_HOST',
        'SMTP_PORT',
        'SMTP_TLS',
        'SMTP_USER',
        'SMTP_PASSWORD',
        'SMTP_TIMEOUT_MS',
      ]),
      env,
    ),
  );
  return ok('mail', `${host} accepts the sign-in`);
}

/** Checks SMS, cards, WhatsApp and mail. */
export const checkProviders: Check = async (env) => {
  const findings = await Promise.all([
    tried('SMS', OUTSIDE, () => account(sms(env))),
    tried('cards', OUTSIDE, () => account(cards(env))),
    tried('WhatsApp', OUTSIDE, () => whatsapp(env)),
    tried(
      'mail',
      'Correct SMTP_HOST, SMTP_PORT, SMTP_TLS, SMTP_USER and SMTP_PASSWORD; allow outgoing SMTP.',
      () => mail(env),
    ),
  ]);
  return findings.flat();
};
