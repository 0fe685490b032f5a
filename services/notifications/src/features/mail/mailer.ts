/** Hands e-mails to the configured server, and says what became of each. */
import nodemailer from 'nodemailer';
import type { Config } from '../../config.ts';
import type { Letter } from './letter.ts';

export type Mail = Letter & {
  /** Names this e-mail for ever: sent a second time it is the same one to every mailbox that looks. */
  messageId: string;
  to: string;
  /** Ends e-mails of this kind by one POST (RFC 8058); null to an address without an account, which gets none but what was asked for. */
  unsubscribeUrl: string | null;
};

/**
 * `refused`: for good. `later`: not now, this one. `away`: the server takes none at all right now. `unknown`: it may be
 * on its way.
 */
export type MailOutcome = 'refused' | 'later' | 'away' | 'unknown';

/** Neither the address nor the text is in it: it may be logged. */
export class MailError extends Error {
  readonly outcome: MailOutcome;

  constructor(outcome: MailOutcome, code: string) {
    super(`The mail server has not taken an e-mail: ${outcome} (${code})`);
    this.name = 'MailError';
    this.outcome = outcome;
  }
}

export type Mailer = { send: (mail: Mail) => Promise<void>; close: () => void };

/** Undefined where no server is configured. */
export function createMailer(config: Config): Mailer | undefined {
  if (config.SMTP_HOST === undefined) return undefined;
  const transport = nodemailer.createTransport({
    host: config.SMTP_HOST,
    port: config.SMTP_PORT,
    secure: config.SMTP_TLS === 'implicit',
    requireTLS: config.SMTP_TLS === 'starttls',
    ignoreTLS: config.SMTP_TLS === 'none',
    ...(config.SMTP_USER ? { auth: { user: config.SMTP_USER, pass: config.SMTP_PASSWORD } } : {}),
    pool: true,
    maxConnections: 2,
    rateDelta: 1_000,
    rateLimit: config.MAILS_PER_SECOND,
    connectionTimeout: config.SMTP_TIMEOUT_MS,
    greetingTimeout: config.SMTP_TIMEOUT_MS,
    socketTimeout: config.SMTP_TIMEOUT_MS,
    // What is in an e-mail is made here; nothing is read from the disk or fetched for it.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(config.DKIM_KEY
      ? {
          dkim: {
            domainName: config.DKIM_DOMAIN,
            keySelector: config.DKIM_SELECTOR,
            privateKey: config.DKIM_KEY,
          },
        }
      : {}),
  });
  return {
    send: async ({ messageId, to, subject, text, html, unsubscribeUrl }) => {
      try {
        await transport.sendMail({
          from: config.MAIL_FROM,
          to: { name: '', address: to },
          messageId: `<${messageId}@${new URL(config.PUBLIC_URL).hostname}>`,
          subject,
          text,
          html,
          headers: {
            ...(unsubscribeUrl === null
              ? {}
              : {
                  'List-Unsubscribe': `<${unsubscribeUrl}>`,
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                }),
            'Auto-Submitted': 'auto-generated',
          },
        });
      } catch (error) {
        throw new MailError(outcomeOf(error), String(field(error, 'responseCode') ?? field(error, 'code')));
      }
    },
    close: () => transport.close(),
  };
}

/** What a failure of the mail library says about the e-mail. */
export function outcomeOf(error: unknown): MailOutcome {
  const status = Number(field(error, 'responseCode') ?? 0);
  const [code, command] = [field(error, 'code'), field(error, 'command')];
  // Our own sign-in or the server as a whole; no e-mail is at fault.
  if (code === 'EAUTH' || status === 421) return 'away';
  if (status >= 500) return command === 'CONN' ? 'away' : 'refused';
  if (status >= 400) return command === 'CONN' ? 'away' : 'later';
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return 'refused';
  if (command === 'CONN' || code === 'EDNS' || code === 'ECONNECTION' || code === 'ECONNREFUSED')
    return 'away';
  return 'unknown';
}

const field = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
