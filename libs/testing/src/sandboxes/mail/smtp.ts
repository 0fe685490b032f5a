/** A mail server as far as sending needs one: takes what is handed to it, and puts it into the mailbox. */
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

const MAX_BYTES = 10 * 1024 * 1024;

/** Listens on a port; 0 chooses a free one. `refusal` says with which status an address is refused, for tests of failures. */
export async function startSmtp(
  mailbox: Mailbox,
  {
    host,
    port,
    refusal = () => undefined,
  }: { host: string; port: number; refusal?: (address: string) => number | undefined },
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    // No certificate: it is reached on loopback only, or inside one compose network.
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: MAX_BYTES,
    onRcptTo({ address }, _session, done) {
      const status = refusal(address);
      if (status === undefined) done();
      else done(Object.assign(new Error('This address takes no mail'), { responseCode: status }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('error', (error: Error) => done(error));
      stream.once('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
        keep(mailbox, Buffer.concat(chunks), recipients).then(() => done(), done);
      });
    },
  });
  // A client that breaks off is its own affair; what it had not ended is not taken.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function keep(mailbox: Mailbox, raw: Buffer, recipients: readonly string[]): Promise<void> {
  const mail = await PostalMime.parse(raw);
  for (const to of recipients)
    mailbox.receive({
      id: mail.messageId ?? '',
      to,
      from: mail.from?.address ?? '',
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html ?? '',
      headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    });
}
