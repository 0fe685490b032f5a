/** A minimal mail server that puts each accepted mail into the mailbox. */
import { createHash } from 'node:crypto';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Listens on a port; 0 selects a free one. For tests of failures, `refusal` returns the status to reject an
 * address with, and `mostBytes` the size of the largest mail.
 */
export async function startSmtp(
  mailbox: Mailbox,
  {
    host,
    port,
    refusal = () => undefined,
    mostBytes = () => MAX_BYTES,
  }: {
    host: string;
    port: number;
    refusal?: (address: string) => number | undefined;
    mostBytes?: () => number;
  },
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    // Without a certificate: it is reachable on loopback only, or inside one compose network.
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
        const raw = Buffer.concat(chunks);
        if (raw.length > mostBytes())
          return done(Object.assign(new Error('This mail is too large'), { responseCode: 552 }));
        const recipients = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
        keep(mailbox, raw, recipients).then(() => done(), done);
      });
    },
  });
  // A client that disconnects needs no handling; its unfinished mail is not accepted.
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
      attachments: mail.attachments.map(({ filename, mimeType, content }) => {
        const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return { name: filename ?? '', type: mimeType, bytes: bytes.length, sha256 };
      }),
      headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    });
}
