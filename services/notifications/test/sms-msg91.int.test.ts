/** SMS by MSG91's protocol: approved templates, no look-up after a crash, and no reports that could be forged. */
import { randomUUID } from 'node:crypto';
import { signTwilioForm } from '@karaar/testing/sandboxes/sms/twilio';
import { startSandbox, type TestSandbox } from '@karaar/testing/sandboxes/testing/sandbox';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { smsTemplates } from '../src/features/sms/sms-texts.ts';
import { startApi, type Api } from './api.ts';

let sandbox: TestSandbox;
let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
beforeAll(async () => {
  sandbox = await startSandbox();
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
});

const onPhone = async () => {
  const response = await fetch(`${sandbox.url}/dev/sms?phone_no=${encodeURIComponent('+919876500001')}`);
  return (await response.json()) as { text: string }[];
};

it('sends the id of the approved template and its variables, and leaves an SMS unconfirmed after a crash', async () => {
  const document = randomUUID();
  await api.change({
    document_id: document,
    change: 'document.approved',
    primary_user: asha.userId,
    actor_id: asha.userId,
    awaited_users: [vikram.userId],
  });
  const seen = async () => {
    const { body } = await api.call(asha, 'GET', `/notifications/deliveries/${document}`);
    return (body as { channel: string; state: string }[]).find(({ channel }) => channel === 'sms')?.state;
  };
  await until('it is sent', async () => (await seen()) === 'sent');
  const [sms] = await onPhone();
  expect(sms?.text).toContain('[id-of-event-1-your-turn-ta]');
  expect(sms?.text).toContain(`link: http://karaar.test/document/${document}`);
  // The state after a process died between the provider's answer and its own update.
  await sql`UPDATE deliveries SET state = 'sending', lease_until = now(), ended_at = NULL
    WHERE channel = 'sms'`.execute(api.service.foundation.db);
  await until('it is unconfirmed', async () => (await seen()) === 'unconfirmed');
  expect(await onPhone()).toHaveLength(1);
});

it("takes no reports, because MSG91's key signs nothing", async () => {
  const path = `/notifications/sms/${randomUUID()}/twilio-webhook`;
  const body = new URLSearchParams({ MessageStatus: 'delivered' });
  const signature = signTwilioForm(`http://karaar.test/api${path}`, body, 'secret');
  const headers = { 'x-twilio-signature': signature };
  const { status } = await fetch(`${api.service.url}${path}`, { method: 'POST', body, headers });
  expect(status).toBe(404);
});
