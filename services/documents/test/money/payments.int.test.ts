import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsInternalRpc } from '@karaar/contracts/documents/inner';
import type { Envelope, EventData } from '@karaar/contracts/kit';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { connectBus, type Bus } from '@karaar/bus';
import { uuidv7 } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import { sql } from 'kysely';
import type { WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { startApi, type Api } from '../api.ts';
import { approvedBy } from '../approved.ts';

jest.setTimeout(60_000);

type Changed = Envelope<EventData<typeof documentsEvents.paymentRecorded>>;

let api: Api;
let payments: Bus;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-payments');
  const logger = createLogger({ name: 'payments', level: 'silent' });
  payments = await connectBus({ url: api.world.natsUrl, name: 'payments', logger });
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
}, 120_000);
afterAll(async () => {
  await payments.close();
  await api.stop();
});

const database = () => api.service.foundation.db;
const documentOf = (id: string) =>
  database().selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const linesOf = (id: string) =>
  database()
    .selectFrom('document_events')
    .selectAll()
    .where('document_id', '=', id)
    .where('type', '=', 'payment.completed')
    .orderBy('seq')
    .execute();

const paid = (
  document_id: string,
  user: WorldUser,
  amount_paise: number,
  { charge_number = 1, document_paid = false } = {},
) => {
  const payment_id = uuidv7();
  return {
    id: uuidv7(),
    type: paymentsEvents.paymentCompleted.type,
    version: 1,
    occurredAt: new Date().toISOString(),
    aggregateId: payment_id,
    aggregateVersion: 2,
    data: { payment_id, document_id, user_id: user.userId, amount_paise, document_paid, charge_number },
  };
};
/** Publishes events at once, so that the consumer handles several together. */
const publishPaid = (...events: ReturnType<typeof paid>[]) =>
  Promise.all(
    events.map((event) =>
      payments.link.js.publish(paymentsEvents.paymentCompleted.subject, JSON.stringify(event), {
        msgID: `${event.id} ${randomUUID()}`,
      }),
    ),
  );

describe('the data for a charge', () => {
  it('contains the involved users, and whether all have approved', async () => {
    const { id } = await api.create(owner);
    const ask = (document_id: string) => api.ask(documentsInternalRpc.chargeable, { document_id });
    expect(await ask(id)).toEqual({
      document: expect.objectContaining({
        document_id: id,
        status: 'pending',
        primary_user: owner.userId,
        involved_users: [owner.userId],
        all_approved: false,
      }),
    });
    const approved = await approvedBy(api, owner, guest);
    expect((await ask(approved.toUpperCase())).document).toMatchObject({
      document_id: approved,
      status: 'approved',
      involved_users: [owner.userId, guest.userId],
      all_approved: true,
      daily_rate_paise: 100,
      start_date: expect.any(String),
    });
    // A user who only asked to join is not involved.
    await database()
      .insertInto('parties')
      .values({
        document_id: approved,
        user_id: randomUUID(),
        position: 9,
        state: 'requested',
        approved: false,
        verified: false,
      })
      .execute();
    expect((await ask(approved)).document).toMatchObject({
      involved_users: [owner.userId, guest.userId],
      all_approved: true,
    });
    for (const unknown of [randomUUID(), 'nothing']) expect(await ask(unknown)).toEqual({ document: null });
  });
});

describe('completed payments', () => {
  it('of several documents at once record the new name of a payer in each, once and before the payment', async () => {
    const payer = await api.world.addUser('Meera Nair');
    const ids = [await approvedBy(api, owner, payer), await approvedBy(api, owner, payer)];
    await sql`UPDATE directory SET name = 'Meera Iyer', version = 9 WHERE user_id = ${payer.userId}`.execute(
      database(),
    );
    await publishPaid(...ids.flatMap((id) => [paid(id, owner, 100), paid(id, payer, 100)]));
    for (const id of ids) {
      await until('both payments', async () => (await linesOf(id)).length === 2);
      const lines = await database()
        .selectFrom('document_events')
        .select(['type', 'actor_id', 'detail', 'status_to'])
        .where('document_id', '=', id)
        .where('type', 'in', ['party.renamed', 'payment.completed'])
        .orderBy('seq')
        .execute();
      const renames = lines.filter(({ type }) => type === 'party.renamed');
      expect(renames).toEqual([
        {
          type: 'party.renamed',
          actor_id: payer.userId,
          detail: 'Changed the name of the account from “Meera Nair” to “Meera Iyer”',
          status_to: 'approved',
        },
      ]);
      const at = (type: string) =>
        lines.findIndex((one) => one.type === type && one.actor_id === payer.userId);
      expect(at('party.renamed')).toBeLessThan(at('payment.completed'));
    }
  });

  it('add lines to the history, versions and events, once each, also several at once for one document', async () => {
    const [both, one] = [await approvedBy(api, owner, guest), await approvedBy(api, owner, guest)];
    const before = { both: await documentOf(both), one: await documentOf(one) };
    const events = [
      paid(both, owner, 420),
      paid(one, owner, 700),
      paid(randomUUID(), owner, 100),
      paid(both, guest, 280, { charge_number: 2, document_paid: true }),
    ];
    await publishPaid(...events, ...events);
    await until('the lines are there', async () => (await linesOf(both)).length >= 2);
    await until('the other line', async () => (await linesOf(one)).length >= 1);
    // A duplicate would be visible by now.
    await publishPaid(...events);
    const last = paid(one, guest, 1, { charge_number: 2 });
    await publishPaid(last);
    await until('the last one', async () => (await linesOf(one)).length >= 2);

    expect(
      (await linesOf(both)).map(({ actor_id, detail, status_to }) => [actor_id, detail, status_to]),
    ).toEqual([
      [owner.userId, 'Paid ₹4.20 from the wallet', 'approved'],
      [guest.userId, 'Paid ₹2.80 from the wallet', 'approved'],
    ]);
    const after = { both: await documentOf(both), one: await documentOf(one) };
    expect([after.both.version - before.both.version, after.one.version - before.one.version]).toEqual([
      2, 2,
    ]);
    expect([after.both.paid, after.one.paid]).toEqual([true, false]);
    expect(after.both.changed_at.getTime()).toBeGreaterThan(before.both.changed_at.getTime());

    const approval = await database()
      .selectFrom('document_events')
      .select('files_sha256')
      .where('document_id', '=', both)
      .where('type', '=', 'document.approved')
      .executeTakeFirst();
    for (const line of await linesOf(both)) expect(line.files_sha256).toBe(approval?.files_sha256);

    let announced: Changed[] = [];
    await until('they are announced', async () => {
      announced = (await messagesOf<Changed>(api.world.natsUrl, 'EVT_DOCUMENTS')).filter(
        ({ type, data }) => type === 'documents.payment.recorded' && data.document_id === both,
      );
      return announced.length >= 2;
    });
    expect(announced.map((event) => event.aggregateVersion)).toEqual([
      before.both.version + 1,
      before.both.version + 2,
    ]);
    expect(announced[0]?.data).toEqual({
      document_id: both,
      status: 'approved',
      primary_user: owner.userId,
      involved_users: [owner.userId, guest.userId],
      affected_users: [owner.userId, guest.userId],
      change: 'payment.completed',
    });
  });

  it('move their document up in the lists of its parties', async () => {
    const [first, second] = [await approvedBy(api, owner, guest), await approvedBy(api, owner, guest)];
    const newest = async (user: WorldUser) => {
      const { body } = await api.call(user, 'GET', '/documents/my-documents/page?sort=changed&limit=2');
      return (body['items'] as { document_id: string }[]).map((item) => item.document_id);
    };
    expect(await newest(guest)).toEqual([second, first]);
    await publishPaid(paid(first, owner, 700, { document_paid: true }));
    await until('the line is there', async () => (await linesOf(first)).length === 1);
    expect(await newest(guest)).toEqual([first, second]);
    expect(await newest(owner)).toEqual([first, second]);
  });
});
