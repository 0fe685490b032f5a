import { EXPOSED, isLoopback } from '@karaar/contracts/exposure';

export interface SandboxConfig {
  host: string;
  port: number;
  /** SMTP port, 0 for a free one; undefined for no SMTP server. */
  smtpPort?: number | undefined;
  /** The product's address for browsers; only shown on pages. */
  publicUrl: string;
  /** Folder for orders, so that they survive a restart; without it they are kept in memory only. */
  stateDir?: string;
  /** Where and with which secret messages are reported; without them they are not. */
  whatsapp?: { appSecret?: string | undefined; webhookUrl?: string | undefined };
  /** Addresses that MSG91's panel would hold; reports of all texts go to each. */
  msg91Webhooks?: readonly string[];
  razorpay: { keyId: string; keySecret: string; webhookSecret: string; webhookUrl?: string };
}

/** Reads the environment. Throws one Error that names every faulty variable, never its value. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): SandboxConfig {
  const faults: string[] = [];
  const required = (name: string): string => {
    const value = env[name];
    if (!value) faults.push(`${name} is not set`);
    return value ?? '';
  };
  const url = (name: string): string | undefined => {
    const value = env[name] || undefined;
    if (value !== undefined && !/^https?:\/\//.test(value)) faults.push(`${name} is not an http(s) URL`);
    return value;
  };
  if (env.NODE_ENV === 'production')
    faults.push('NODE_ENV is production: sandboxes are for development and tests');
  const host = env.HOST || '127.0.0.1';
  if (!isLoopback(host) && env.EXPOSED_DEVELOPMENT !== EXPOSED)
    faults.push(
      `HOST is not loopback: the sandbox shows everybody's codes (EXPOSED_DEVELOPMENT=${EXPOSED} takes the risk)`,
    );
  const port = Number(env.PORT ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) faults.push('PORT is not a port number');
  const smtpPort = env.SMTP_PORT ? Number(env.SMTP_PORT) : undefined;
  if (smtpPort !== undefined && (!Number.isInteger(smtpPort) || smtpPort < 0 || smtpPort > 65_535))
    faults.push('SMTP_PORT is not a port number');
  const config = {
    host,
    port,
    smtpPort,
    publicUrl: url('PUBLIC_URL') ?? 'http://localhost:8080',
    stateDir: env.STATE_DIR || undefined,
    whatsapp: { appSecret: env.WHATSAPP_APP_SECRET || undefined, webhookUrl: url('WHATSAPP_WEBHOOK_URL') },
    razorpay: {
      keyId: required('RAZORPAY_KEY_ID'),
      keySecret: required('RAZORPAY_KEY_SECRET'),
      webhookSecret: required('RAZORPAY_WEBHOOK_SECRET'),
      webhookUrl: url('WALLET_WEBHOOK_URL'),
    },
  };
  if (faults.length > 0)
    throw new Error(`The sandbox cannot start:\n${faults.map((f) => `  ${f}`).join('\n')}`);
  return config;
}
