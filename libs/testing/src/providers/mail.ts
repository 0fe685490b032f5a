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

/** @param options an earlier mailbox and port to reuse, and the addresses to reject with their status */
export async function startTestMail(
  options: { mailbox?: Mailbox; port?: number; refusal?: (address: string) => number | undefined } = {},
): Promise<TestMail> {
  const { mailbox = new Mailbox(), port = 0, refusal } = options;
  const server = await startSmtp(mailbox, { host: '127.0.0.1', port, ...(refusal ? { refusal } : {}) });
  return { port: server.port, mailbox, stop: server.close };
}
