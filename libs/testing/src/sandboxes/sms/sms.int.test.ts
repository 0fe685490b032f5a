import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { until } from '../../until.ts';
import { startSandbox, type TestSandbox } from '../testing/sandbox.ts';
import { codeIn, normalisePhone, type Sms } from './inbox.ts';

const SID = 'AC0123456789abcdef0123456789abcdef';
const SYMBOLS = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];

describe('the code in a text', () => {
  it('is found with any six symbols at any position', () => {
    const code = fc.array(fc.constantFrom(...SYMBOLS), { minLength: 6, maxLength: 6 }).map((s) => s.join(''));
    const frame = fc.constantFrom(
      (c: string) => `${c} is your Karaar code. It is valid for 5 minutes.`,
      (c: string) => `Your Karaar code is ${c}. Never share it.`,
      (c: string) => `KARAAR: your OTP is ${c}`,
      (c: string) => `[karaar-otp]\nOTP: ${c}`,
    );
    fc.assert(fc.property(code, frame, (c, text) => expect(codeIn(text(c))).toBe(c)));
  });

  it('is null if the text has no code', () => {
    for (const text of [
      '',
      'No account has this number. Register at http://localhost:8080/register',
      'Call +919000000001',
    ])
      expect(codeIn(text)).toBeNull();
  });
});

it('a phone is the same in every spelling', () => {
  for (const text of ['+919000000001', '9000000001', ' 919000000001', '+91 90000-00001', '09000000001'])
    expect(normalisePhone(text)).toBe('+919000000001');
});

describe('the SMS sandbox', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());

  const twilio = (form: Record<string, string>, auth = `${SID}:token`) =>
    fetch(`${sandbox.url}/2010-04-01/Accounts/${SID}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(auth).toString('base64')}` },
      body: new URLSearchParams(form),
    });
  const msg91 = (body: unknown, headers: Record<string, string> = { authkey: 'key' }) =>
    fetch(`${sandbox.url}/api/v5/flow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const inbox = async (phone: string) =>
    (await (await fetch(`${sandbox.url}/dev/sms?phone_no=${phone}`)).json()) as Sms[];

  it('accepts a text as Twilio does and shows it in the inbox', async () => {
    const answer = await twilio({
      To: '+919000000001',
      From: '+15005550006',
      Body: 'ABC234 is your Karaar code.',
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      account_sid: SID,
      status: 'queued',
      to: '+919000000001',
      error_code: null,
    });
    // An unencoded plus in a query becomes a space: both forms are accepted.
    for (const phone of ['+919000000001', '%2B919000000001', '9000000001'])
      expect(await inbox(phone)).toEqual([
        {
          phone_no: '+919000000001',
          text: 'ABC234 is your Karaar code.',
          code: 'ABC234',
          sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        },
      ]);
    expect(await inbox('+919000000002')).toEqual([]);
  });

  it('reports a text as Twilio does: as sent, then as delivered, with a signature over address and form', async () => {
    const reports: [string | null, boolean][] = [];
    const server = createServer((req, res) => {
      void text(req).then((body) => {
        const form = new URLSearchParams(body);
        const fields = ['MessageSid', 'MessageStatus', 'SmsSid', 'SmsStatus'];
        const signed = callback + fields.map((name) => name + form.get(name)).join('');
        const signature = createHmac('sha1', 'token').update(signed).digest('base64');
        reports.push([form.get('MessageStatus'), req.headers['x-twilio-signature'] === signature]);
        res.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/status`;
    await twilio({ To: '+919000000001', From: 'K', Body: 'Hello', StatusCallback: callback });
    await until('both reports', () => reports.length === 2);
    expect(reports).toEqual([
      ['sent', true],
      ['delivered', true],
    ]);
    await new Promise((resolve) => server.close(resolve));
  });

  it('rejects as Twilio does', async () => {
    const good = { To: '+919000000001', From: '+15005550006', Body: 'x' };
    const without = (key: keyof typeof good) =>
      Object.fromEntries(Object.entries(good).filter(([k]) => k !== key));
    for (const [form, auth, status, code] of [
      [good, 'AC0:token', 401, 20_003],
      [good, `${SID}:`, 401, 20_003],
      [without('To'), undefined, 400, 21_604],
      [{ ...good, To: '9000000001' }, undefined, 400, 21_211],
      [without('From'), undefined, 400, 21_603],
      [without('Body'), undefined, 400, 21_602],
      [{ ...good, Body: 'x'.repeat(1_601) }, undefined, 400, 21_617],
    ] as const) {
      const answer = await twilio(form, auth);
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ code, status, message: expect.any(String) });
    }
    expect(await inbox('+919000000001')).toEqual([]);
  });

  it('accepts templates as MSG91 does, several phones at once', async () => {
    const recipients = [
      { mobiles: '919000000001', OTP: 'QWERTY' },
      { mobiles: '919000000002', OTP: 'ABC234' },
    ];
    const answer = await msg91({ template_id: 'karaar-otp', recipients });
    expect(await answer.json()).toEqual({
      type: 'success',
      message: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    expect(await inbox('+919000000001')).toMatchObject([
      { code: 'QWERTY', text: '[karaar-otp]\nOTP: QWERTY' },
    ]);
    expect(await inbox('+919000000002')).toMatchObject([{ code: 'ABC234' }]);
  });

  it('rejects as MSG91 does, and sends nothing for an invalid request', async () => {
    const good = { template_id: 't', recipients: [{ mobiles: '919000000001' }] };
    expect((await msg91(good, {})).status).toBe(401);
    for (const bad of [
      { recipients: good.recipients },
      { template_id: 't' },
      { template_id: 't', recipients: [] },
      { template_id: 't', recipients: [...good.recipients, { mobiles: 'x' }] },
      'no json',
    ])
      expect((await msg91(bad)).status).toBe(400);
    expect(await inbox('+919000000001')).toEqual([]);
  });

  it('lists newest first, of all phones when JSON is requested', async () => {
    for (const n of [1, 2, 3]) await twilio({ To: `+91900000000${n}`, From: 'K', Body: `text ${n}` });
    const answer = await fetch(`${sandbox.url}/dev/sms`, { headers: { accept: 'application/json' } });
    expect(((await answer.json()) as Sms[]).map((sms) => sms.text)).toEqual(['text 3', 'text 2', 'text 1']);
  });

  it('shows a page that needs no script, reloads itself, fits a phone and does not run content of a text', async () => {
    await twilio({ To: '+919000000001', From: 'K', Body: '<script>alert(1)</script> code ABC234 & "more"' });
    const answer = await fetch(`${sandbox.url}/dev/sms`, { headers: { accept: 'text/html' } });
    const html = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
    expect(html).toContain('<meta name="viewport"');
    expect(html).toContain('<meta http-equiv="refresh"');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; code ABC234 &amp; &quot;more&quot;');
    expect(html).toContain('<p class="code">ABC234</p>');
    expect(html).not.toMatch(/<script|<style|style=/);
    expect((await fetch(`${sandbox.url}/dev/sms.css`)).headers.get('content-type')).toContain('text/css');
  });
});

describe('the WhatsApp sandbox', () => {
  let sandbox: TestSandbox;
  let receiver: Server;
  let reports: { status: string; data: string; genuine: boolean }[];
  beforeEach(async () => {
    reports = [];
    receiver = createServer((req, res) => {
      void text(req).then((body) => {
        const { entry } = JSON.parse(body) as {
          entry: {
            changes: { value: { statuses: { status: string; biz_opaque_callback_data: string }[] } }[];
          }[];
        };
        const [one] = entry[0]?.changes[0]?.value.statuses ?? [];
        const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`;
        reports.push({
          status: one?.status ?? '',
          data: one?.biz_opaque_callback_data ?? '',
          genuine: req.headers['x-hub-signature-256'] === signature,
        });
        res.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    sandbox = await startSandbox({ whatsapp: { appSecret: 'secret', webhookUrl } });
  });
  afterEach(async () => {
    await sandbox.close();
    await new Promise((resolve) => receiver.close(resolve));
  });
  const good = {
    messaging_product: 'whatsapp',
    to: '919000000001',
    type: 'template',
    biz_opaque_callback_data: 'd1',
    template: {
      name: 'event_1_share_due',
      language: { code: 'ta' },
      components: [{ type: 'body', parameters: [{ type: 'text', text: '335.00 <b>' }] }],
    },
  };
  const send = async (body: unknown, authorization = 'Bearer token') => {
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await fetch(`${sandbox.url}/v23.0/1065/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const { error } = (await answer.json()) as { error?: { code: number } };
    return [answer.status, error?.code];
  };

  it('accepts a template message as Meta does, shows it on a page and reports it, signed', async () => {
    expect(await send(good)).toEqual([200, undefined]);
    const page = await fetch(`${sandbox.url}/dev/whatsapp`, { headers: { accept: 'text/html' } });
    const html = await page.text();
    expect(html).toContain('WhatsApp inbox');
    expect(html).toContain('[event_1_share_due ta]\nbody: 335.00 &lt;b&gt;');
    await until('both reports', () => reports.length === 2);
    expect(reports).toEqual([
      { status: 'sent', data: 'd1', genuine: true },
      { status: 'delivered', data: 'd1', genuine: true },
    ]);
  });

  it('rejects as Meta does', async () => {
    expect(await send(good, '')).toEqual([401, 190]);
    expect(await send({ ...good, to: '+1' })).toEqual([400, 100]);
    expect(await send({ ...good, type: 'text' })).toEqual([400, 100]);
    expect(await send(null)).toEqual([400, 100]);
    expect(await send({ ...good, template: { name: 'With-Dash' } })).toEqual([404, 132_001]);
    expect(await (await fetch(`${sandbox.url}/dev/whatsapp?phone_no=`)).json()).toEqual([]);
  });
});
