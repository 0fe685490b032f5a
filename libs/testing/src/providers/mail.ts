/** A mail server for tests: the sandbox's own, on a free port. */
import { Mailbox } from '../sandboxes/mail/mailbox.ts';
import { startSmtp } from '../sandboxes/mail/smtp.ts';

export { Mailbox };

export type TestMail = {
  port: number;
  mailbox: Mailbox;
  /** Stops it; accepted mails stay readable. */
  stop: () => Promise<void>;
};

export type TestMailOptions = Omit<Partial<Parameters<typeof startSmtp>[1]>, 'host'> & { mailbox?: Mailbox };

/** @param options an earlier mailbox and port to reuse, the addresses to reject with their status, and the largest mail */
export async function startTestMail(options: TestMailOptions = {}): Promise<TestMail> {
  const { mailbox = new Mailbox(), port = 0, ...refusals } = options;
  const server = await startSmtp(mailbox, { host: '127.0.0.1', port, ...refusals });
  return { port: server.port, mailbox, stop: server.close };
}
