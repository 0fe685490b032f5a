import nodemailer from 'nodemailer';
import { startSandbox, type TestSandbox } from '../testing/sandbox.ts';
import type { ReceivedMail } from './mailbox.ts';
import { Mailbox } from './mailbox.ts';
import { startSmtp } from './smtp.ts';

const mailer = (port: number) => nodemailer.createTransport({ host: '127.0.0.1', port, secure: false });
const mail = {
  from: 'Karaar <no-reply@karaar.test>',
  to: 'Asha@Example.org',
  messageId: '<one@karaar.test>',
  subject: 'आपकी बारी',
  text: 'plain',
  html: '<p>rich</p><script>alert(1)</script>',
};

describe('the mail sandbox', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({ smtp: true });
  });
  afterEach(() => sandbox.close());
  const list = async (to: string) =>
    (await (await fetch(`${sandbox.url}/dev/mail?to=${encodeURIComponent(to)}`)).json()) as ReceivedMail[];

  it('accepts an e-mail by SMTP and shows it once, however often it arrives', async () => {
    await mailer(sandbox.smtpPort).sendMail(mail);
    await mailer(sandbox.smtpPort).sendMail(mail);
    await mailer(sandbox.smtpPort).sendMail({ ...mail, messageId: '<two@karaar.test>' });
    const mails = await list('asha@example.org');
    expect(mails).toMatchObject([
      { id: '<two@karaar.test>', arrivals: 1 },
      { id: '<one@karaar.test>', arrivals: 2, subject: 'आपकी बारी', text: 'plain\n' },
    ]);
    expect(await list('vikram@example.org')).toEqual([]);
  });

  it('shows the list without script, and an e-mail in a sandboxed frame without scripts', async () => {
    await mailer(sandbox.smtpPort).sendMail({ ...mail, subject: '<script>alert(1)</script>' });
    const page = await fetch(`${sandbox.url}/dev/mail`, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(await page.text()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const one = await fetch(`${sandbox.url}/dev/mail/${encodeURIComponent('<one@karaar.test>')}`);
    expect(one.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(await one.text()).toContain('<p>rich</p>');
    expect((await fetch(`${sandbox.url}/dev/mail/none`)).status).toBe(404);
  });
});

it('rejects an address with the status that a test configures', async () => {
  const mailbox = new Mailbox();
  const server = await startSmtp(mailbox, { host: '127.0.0.1', port: 0, refusal: () => 550 });
  await expect(mailer(server.port).sendMail(mail)).rejects.toMatchObject({ responseCode: 550 });
  expect(mailbox.list()).toEqual([]);
  await server.close();
});
