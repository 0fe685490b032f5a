/** Rules that hold for the messages of every channel. */
import { randomUUID } from 'node:crypto';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { startApi, type Api } from './api.ts';
import { whatsappStandIn, type WhatsappStandIn } from './whatsapp-stand-in.ts';

let api: Api;
let whatsapp: WhatsappStandIn;
let asha: WorldUser;
beforeAll(async () => {
  whatsapp = await whatsappStandIn();
  api = await startApi('notifications-channels', {}, whatsapp.env);
  asha = await api.world.addUser('Asha Rao');
}, 120_000);
afterAll(async () => {
  await api.stop();
  await whatsapp.stop();
});

const db = () => api.service.foundation.db;
const giveTurn = ({ userId }: WorldUser) =>
  api.change({
    document_id: randomUUID(),
    change: 'document.approved',
    primary_user: asha.userId,
    actor_id: asha.userId,
    awaited_users: [userId],
  });
const stateOf = async ({ userId }: WorldUser, channel: string) => {
  const { rows } = await sql<{ state: string }>`
    SELECT d.state FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${userId} AND d.channel = ${channel}`.execute(db());
  return rows.map(({ state }) => state).join();
};
const phoneOf = async ({ userId }: WorldUser) =>
  (
    await db()
      .selectFrom('directory')
      .select('phone_no')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  ).phone_no;
/** How often a message to a user was sent, by channel. */
const SENT: Record<string, (user: WorldUser) => Promise<number>> = {
  email: async (user) => api.mailsTo(user).reduce((sum, { arrivals }) => sum + arrivals, 0),
  sms: async (user) => api.sms.to(await phoneOf(user)).length,
  whatsapp: async (user) => {
    const phone = await phoneOf(user);
    return whatsapp.sent.filter(({ to }) => `+${to}` === phone).length;
  },
};

it.each(Object.entries(SENT))(
  'does not send a message by %s again if the database failed to store that it was sent',
  async (channel, sentTo) => {
    const [vikram, meera] = [await api.world.addUser('Vikram Shah'), await api.world.addUser('Meera Nair')];
    for (const user of [vikram, meera])
      await api.call(user, 'PATCH', '/notifications/settings', {
        preferences: Object.keys(SENT).map((one) => ({ kind: 'your_turn', channel: one, wanted: true })),
      });
    await api.world.asOwner(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full'; END $$`,
    );
    await api.world.asOwner(`CREATE TRIGGER refuse BEFORE UPDATE ON deliveries FOR EACH ROW
      WHEN (NEW.channel = '${channel}' AND NEW.state = 'sent') EXECUTE FUNCTION refuse()`);
    await giveTurn(vikram);
    await until('it is sent', async () => (await sentTo(vikram)) === 1);
    await giveTurn(meera);
    await until('the worker has had another turn', async () => (await sentTo(meera)) > 0);
    expect([await stateOf(vikram, channel), await sentTo(vikram)]).toEqual(['sending', 1]);
    await api.world.asOwner('DROP FUNCTION refuse CASCADE');
    await sql`UPDATE deliveries SET lease_until = now() WHERE state = 'sending'`.execute(db());
    await until('it is on record', async () => (await stateOf(vikram, channel)) === 'sent');
    await until('the other as well', async () => (await stateOf(meera, channel)) === 'sent');
    // An e-mail is sent again with the same Message-ID, by which mailboxes drop it.
    if (channel === 'email') expect(api.mailsTo(vikram)).toHaveLength(1);
    else expect([await sentTo(vikram), await sentTo(meera)]).toEqual([1, 1]);
  },
);

it('shows in its metrics how many messages wait, and for how long, by channel', async () => {
  const metrics = await (await fetch(`${api.service.innerUrl}/metrics`)).text();
  for (const name of ['notifications_deliveries_waiting', 'notifications_oldest_delivery_seconds'])
    expect(metrics.match(new RegExp(`^${name}.*`, 'gm'))).toEqual(
      Object.keys(SENT).map((channel) => expect.stringContaining(`{channel="${channel}"} 0`)),
    );
});
