/** A mail server for tests: the sandbox's own, on a free port. */
import { Mailbox } from '../sandboxes/mail/mailbox.ts';
import { startSmtp } from '../sandboxes/mail/smtp.ts';

export { Mailbox };

export type TestMail = {
  port: number;
  mailbox: Mailbox;
  /** Ends it; mails that were taken stay readable. */
  stop: () => Promise<void>;
};

/** @param options an earlier mailbox to go on with, a port to take again, and who is refused with which status */
export async function startTestMail(
  options: { mailbox?: Mailbox; port?: number; refusal?: (address: string) => number | undefined } = {},
): Promise<TestMail> {
  const { mailbox = new Mailbox(), port = 0, refusal } = options;
  const server = await startSmtp(mailbox, { host: '127.0.0.1', port, ...(refusal ? { refusal } : {}) });
  return { port: server.port, mailbox, stop: server.close };
}
