/** SMS by MSG91's protocol: approved templates, no look-up after a crash, and reports that carry our signature. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { msg91ReportId } from '@karaar/sms';
import { signTwilioForm } from '@karaar/testing/sandboxes/sms/twilio';
import { startSandbox, type TestSandbox } from '@karaar/testing/sandboxes/testing/sandbox';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { smsTemplates } from '../src/features/sms/sms-texts.ts';
import { startApi, type Api } from './api.ts';

let webhook: Awaited<ReturnType<typeof startWebhook>>;
let sandbox: TestSandbox;
let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
beforeAll(async () => {
  webhook = await startWebhook();
  sandbox = await startSandbox({ msg91Webhooks: [webhook.url] });
  api = await startApi('notifications-msg91', undefined, {
    SMS_PROVIDER: 'msg91',
    SMS_API_URL: sandbox.url,
    SMS_TEMPLATES: smsTemplates.map((name) => `${name}=id-of-${name}`).join(','),
  });
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah', { phone: '+919876500001', language: 'ta' });
}, 120_000);
afterAll(async () => {
  await api.stop();
  await sandbox.close();
  await webhook.stop();
});

const onPhone = async () => {
  const response = await fetch(`${sandbox.url}/dev/sms?phone_no=${encodeURIComponent('+919876500001')}`);
  return (await response.json()) as { text: string }[];
};

const giveTurn = (document_id: string) =>
  api.change({
    document_id,
    change: 'document.approved',
    primary_user: asha.userId,
    actor_id: asha.userId,
    awaited_users: [vikram.userId],
  });
const seen = async (document: string) => {
  const { body } = await api.call(asha, 'GET', `/notifications/deliveries/${document}`);
  return (body as { channel: string; state: string; cause?: string }[]).find(
    ({ channel }) => channel === 'sms',
  );
};

it('sends the id of the approved template and its variables, and leaves an SMS unconfirmed after a crash', async () => {
  const document = randomUUID();
  await giveTurn(document);
  await until('it is sent', async () => (await seen(document))?.state === 'sent');
  const [sms] = await onPhone();
  expect(sms?.text).toContain('[id-of-event-1-your-turn-ta]');
  expect(sms?.text).toContain(`link: http://karaar.test/document/${document}`);
  // The state after a process died between the provider's answer and its own update.
  await sql`UPDATE deliveries SET state = 'sending', lease_until = now(), ended_at = NULL
    WHERE channel = 'sms'`.execute(api.service.foundation.db);
  await until('it is unconfirmed', async () => (await seen(document))?.state === 'unconfirmed');
  expect(await onPhone()).toHaveLength(1);
});

it('shows the sender whether an SMS arrived, by reports with our signed id alone, and the first one for good', async () => {
  const document = randomUUID();
  webhook.reports.length = 0;
  await giveTurn(document);
  await until('it is sent', async () => (await seen(document))?.state === 'sent');
  await until('the provider reports', () => webhook.reports.length > 0);
  const [delivered = ''] = webhook.reports;
  const changed = (from: RegExp, to: string) => {
    const data = new URLSearchParams(delivered).get('data') ?? '';
    expect(data).toMatch(from);
    return new URLSearchParams({ data: data.replace(from, to) }).toString();
  };
  const send = async (body: string) => {
    const url = `${api.service.url}/notifications/sms/msg91-webhook`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };
  for (const without of [
    changed(/"CRQID":"[^"]+"/, '"CRQID":"0"'),
    changed(/"CRQID":"[^"]+"/, `"CRQID":"${msg91ReportId(randomUUID(), 'guess')}"`),
    changed(/"CRQID":"[^"]+"/, `"CRQID":"${msg91ReportId(randomUUID(), 'secret')}"`),
    changed(/"status":"1"/, '"status":"0"'),
    'no report',
  ]) {
    expect(await send(without)).toBe(200);
    expect(await seen(document)).toMatchObject({ state: 'sent' });
  }
  expect(await send(changed(/"status":"1"/, '"status":"17"'))).toBe(200);
  expect(await send(delivered)).toBe(200);
  expect(await send(delivered)).toBe(200);
  expect(await seen(document)).toMatchObject({ state: 'failed', cause: 'blocked' });
});

it("does not take Twilio's form, whose signature would be made with the same key", async () => {
  const path = `/notifications/sms/${randomUUID()}/twilio-webhook`;
  const body = new URLSearchParams({ MessageStatus: 'delivered' });
  const signature = signTwilioForm(`http://karaar.test/api${path}`, body, 'secret');
  const headers = { 'x-twilio-signature': signature };
  const { status } = await fetch(`${api.service.url}${path}`, { method: 'POST', body, headers });
  expect(status).toBe(404);
});

/** Collects what the provider posts. */
async function startWebhook() {
  const reports: string[] = [];
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      reports.push(body);
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, reports, stop: () => new Promise((resolve) => server.close(resolve)) };
}
