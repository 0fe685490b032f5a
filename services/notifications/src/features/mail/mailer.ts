import type { Readable } from 'node:stream';
import nodemailer, { type Transporter } from 'nodemailer';
import type { Config } from '../../config.ts';
import type { Failure } from '../deliveries/delivery.worker.ts';
import type { Letter } from './letter.ts';
import type { Attachment } from './sealed-files.ts';

export type Mail = Letter & {
  /** Stays the same when the e-mail is sent again, so that mailboxes can drop the duplicate. */
  messageId: string;
  to: string;
  /** Ends e-mails of this kind by one POST (RFC 8058). Null if there is nothing to unsubscribe from. */
  unsubscribeUrl: string | null;
  attachments?: readonly Attachment[];
};

/** The message has neither the address nor the text, so that it may be logged. */
export class MailError extends Error {
  readonly outcome: Failure;
  /** True if the server may take the e-mail without its attachments. */
  readonly isTooLarge: boolean;

  constructor(outcome: Failure, code: string) {
    super(`The mail server has not taken an e-mail: ${outcome} (${code})`);
    this.name = 'MailError';
    this.outcome = outcome;
    this.isTooLarge = code === '552';
  }
}

export type Mailer = { send: (mail: Mail) => Promise<void>; close: () => void };

type MailConfig = Pick<Config, Extract<keyof Config, `${'SMTP' | 'MAIL' | 'DKIM'}${string}` | 'PUBLIC_URL'>>;

type Server = Pick<Config, Extract<keyof Config, `SMTP_${string}`>>;

const serverOptions = (config: Server) => ({
  host: config.SMTP_HOST,
  port: config.SMTP_PORT,
  secure: config.SMTP_TLS === 'implicit',
  requireTLS: config.SMTP_TLS === 'starttls',
  ignoreTLS: config.SMTP_TLS === 'none',
  ...(config.SMTP_USER ? { auth: { user: config.SMTP_USER, pass: config.SMTP_PASSWORD } } : {}),
  connectionTimeout: config.SMTP_TIMEOUT_MS,
  greetingTimeout: config.SMTP_TIMEOUT_MS,
  socketTimeout: config.SMTP_TIMEOUT_MS,
});

/** Signs in at the mail server and sends nothing. @throws the server's or the connection's error */
export async function tryMailServer(config: Server): Promise<void> {
  const transport = nodemailer.createTransport(serverOptions(config));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Returns undefined if no server is configured. */
export function createMailer(config: MailConfig): Mailer | undefined {
  if (config.SMTP_HOST === undefined) return undefined;
  const transport = nodemailer.createTransport({
    ...serverOptions(config),
    pool: true,
    maxConnections: 2,
    rateDelta: 1_000,
    rateLimit: config.MAILS_PER_SECOND,
    // The content comes from memory only, so the library must not read files or URLs for it.
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
  noteSentContent(transport);
  return {
    send: async ({ messageId, to, subject, text, html, unsubscribeUrl, attachments = [] }) => {
      try {
        await transport.sendMail({
          from: config.MAIL_FROM,
          to: { name: '', address: to },
          messageId: `<${messageId}@${new URL(config.PUBLIC_URL).hostname}>`,
          subject,
          text,
          html,
          attachments: [...attachments],
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

/**
 * Adds `sentContent` to the errors of the transport: true if the server has received a part of the e-mail. The
 * library reports a connection that fails then like one that was never opened.
 */
function noteSentContent({ transporter }: Transporter): void {
  const send = transporter.send.bind(transporter);
  transporter.send = (mail, done) => {
    const open = mail.message.createReadStream.bind(mail.message);
    let content: Readable | undefined;
    mail.message.createReadStream = (options) => (content = open(options));
    send(mail, (error, info) =>
      done(error && Object.assign(error, { sentContent: content?.readableDidRead === true }), info),
    );
  };
}

/** Returns what a failure of the mail library means for the e-mail. */
function outcomeOf(error: unknown): Failure {
  const status = Number(field(error, 'responseCode') ?? 0);
  const [code, hasContent] = [field(error, 'code'), field(error, 'sentContent') === true];
  const isConnection = field(error, 'command') === 'CONN' && !hasContent;
  // Our sign-in failed, or the server is shutting down. The e-mail is not at fault.
  if (code === 'EAUTH' || status === 421) return 'away';
  if (status >= 500) return isConnection ? 'away' : 'refused';
  if (status >= 400) return isConnection ? 'away' : 'later';
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return 'refused';
  if (hasContent) return 'unknown';
  if (isConnection || code === 'EDNS' || code === 'ECONNECTION' || code === 'ECONNREFUSED') return 'away';
  return 'unknown';
}

const field = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
