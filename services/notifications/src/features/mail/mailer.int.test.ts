import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Failure as Outcome } from '../deliveries/delivery.worker.ts';
import { createMailer, type MailError } from './mailer.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const DKIM_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const END = '\r\n.\r\n';
const ANSWERS = { greeting: '220 mail', EHLO: '250 mail', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go' };
type Step = keyof typeof ANSWERS | 'content';
type Failure = 'close' | 'silence' | `${number} ${string}`;

/** Starts a mail server that answers until `step`, and fails there. */
async function serverFailing(step: Step, failure: Failure) {
  const server = createServer((socket) => {
    let [received, reads] = ['', 'lines'];
    const answer = (at: Step, text: string) => {
      if (at !== step) socket.write(`${text}\r\n`);
      else if (failure === 'close') socket.destroy();
      else if (failure !== 'silence') socket.write(`${failure}\r\n`);
    };
    socket.on('error', () => undefined); // the client has closed a silent connection
    socket.on('data', (chunk) => {
      received += chunk.toString();
      for (;;) {
        const end = reads === 'lines' ? '\r\n' : END;
        const at = received.indexOf(end);
        if (at < 0) return;
        const command = received.slice(0, 4) as Step;
        received = received.slice(at + end.length);
        if (reads === 'content') answer('content', '250 taken');
        else if (command in ANSWERS) answer(command, ANSWERS[command as keyof typeof ANSWERS]);
        else socket.write('250 ok\r\n');
        reads = reads === 'lines' && command === 'DATA' && step !== 'DATA' ? 'content' : 'lines';
      }
    });
    answer('greeting', ANSWERS.greeting);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

async function outcomeOf(step: Step, failure: Failure, dkim: string): Promise<Outcome | 'sent'> {
  const { port, close } = await serverFailing(step, failure);
  const mailer = createMailer({
    ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: port, SMTP_TLS: 'none', SMTP_USER: '', SMTP_PASSWORD: '' },
    ...{
      SMTP_TIMEOUT_MS: failure === 'silence' ? 300 : 10_000,
      MAILS_PER_SECOND: 1_000,
      MAIL_LONGEST_REST_MS: 100,
    },
    ...{ MAIL_FROM: 'a@example.org', PUBLIC_URL: 'http://karaar.test' },
    ...{ DKIM_KEY: dkim, DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 'k' },
  });
  const mail = { messageId: 'm', to: 'b@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  try {
    await mailer?.send({ ...mail, unsubscribeUrl: null });
    return 'sent';
  } catch (error) {
    return (error as MailError).outcome;
  } finally {
    mailer?.close();
    close();
  }
}

const BEFORE: Step[] = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'];
it.each([
  ...BEFORE.flatMap((step) => (['close', 'silence'] as const).map((how) => [step, how, 'away'] as const)),
  ['content', 'close', 'unknown'],
  ['content', 'silence', 'unknown'],
  ['content', '421 closing', 'away'],
  ['content', '451 busy', 'later'],
  ['content', '554 spam', 'refused'],
  ['content', '250 taken', 'sent'],
] as const)('a server that answers %s with %s leaves the e-mail %s', async (step, failure, outcome) => {
  for (const dkim of ['', DKIM_KEY]) expect(await outcomeOf(step, failure, dkim)).toBe(outcome);
});
