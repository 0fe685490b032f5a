import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

const [PER_HOUR, PER_DAY] = [3, 5];
let api: Api;
let writer: WorldUser;

beforeAll(async () => {
  api = await startApi('strangers', {
    STRANGERS_PER_HOUR: String(PER_HOUR),
    STRANGERS_PER_DAY: String(PER_DAY),
  });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  writer = await api.world.addUser('Writer');
});

const someone = () => api.world.addUser('Somebody');
const write = async (to?: WorldUser) => (await api.send(writer, to ?? (await someone()), 'Hello')).status;
/** Moves the writer's approaches into the past. */
const earlier = (hours: number) =>
  sql`UPDATE approaches SET at = at - make_interval(hours => ${hours}) WHERE user_id = ${writer.userId}`.execute(
    api.service.foundation.db,
  );

const shared = async (other: WorldUser) =>
  (await api.call(writer, 'GET', `/messaging/people/${other.userId}`)).body['shared_documents'];
const publishDocument = (data: {
  primary_user: string;
  involved_users: string[];
  acquainted_users?: string[];
}) => {
  const document_id = randomUUID();
  return api.publish(
    documentsEvents.changed,
    { document_id, status: 'pending', ...data },
    { aggregateId: document_id },
  );
};

it('limits strangers per hour, even in simultaneous requests, but not further messages to the same strangers', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, someone));
  const statuses = await Promise.all(people.map((each) => write(each)));
  expect(statuses.filter((status) => status === 201)).toHaveLength(PER_HOUR);
  expect(statuses.filter((status) => status === 429)).toHaveLength(12 - PER_HOUR);
  for (const [at, each] of people.entries()) {
    expect(await write(each)).toBe(statuses[at]);
    // A refused message is not stored.
    expect(await api.conversation(each, writer)).toHaveLength(statuses[at] === 201 ? 2 : 0);
  }
});

it('refuses with a clear message and the time to wait', async () => {
  for (let i = 0; i < PER_HOUR; i += 1) expect(await write()).toBe(201);
  const body = JSON.stringify({ receiver_id: (await someone()).userId, content: 'Hello' });
  const headers = { ...writer.headers, 'content-type': 'application/json' };
  const answer = await fetch(`${api.url}/messaging/send`, { method: 'POST', headers, body });
  expect(answer.status).toBe(429);
  const waitS = Number(answer.headers.get('retry-after'));
  expect(waitS).toBeGreaterThan(3_500);
  expect(waitS).toBeLessThanOrEqual(3_600);
  expect(await answer.json()).toEqual({
    code: 'too_many_strangers',
    detail: expect.stringMatching(/have not answered yet.*again in 60 minutes/),
  });
});

it('allows further strangers an hour later, up to a limit per day', async () => {
  for (let i = 0; i < PER_HOUR; i += 1) expect(await write()).toBe(201);
  expect(await write()).toBe(429);
  await earlier(1);
  for (let i = PER_HOUR; i < PER_DAY; i += 1) expect(await write()).toBe(201);
  await earlier(1);
  expect(await write()).toBe(429);
  await earlier(22);
  expect(await write()).toBe(201);
});

it('does not count strangers who answered, share a document or wrote first', async () => {
  const [friend, party, asker] = [await someone(), await someone(), await someone()];
  for (const each of [friend, party, await someone()]) expect(await write(each)).toBe(201);
  expect(await write()).toBe(429);
  expect((await api.send(asker, writer, 'May I ask?')).status).toBe(201);
  expect(await write(asker)).toBe(201);
  expect(await write()).toBe(429);
  expect((await api.send(friend, writer, 'Yes')).status).toBe(201);
  expect(await write()).toBe(201);
  expect(await write()).toBe(429);

  const fresh = await someone();
  const involved_users = [writer, party, fresh].map(({ userId }) => userId);
  await publishDocument({ primary_user: writer.userId, involved_users, acquainted_users: involved_users });
  await until('they share it', async () => (await shared(fresh)) === 1);
  expect(await write(fresh)).toBe(201);
  expect(await write()).toBe(201);
  expect(await write()).toBe(429);
});

it('counts invited users as strangers: an invitation neither bypasses the limit nor shows a phone number', async () => {
  const [invited, party] = [await someone(), await someone()];
  const primary_user = writer.userId;
  await publishDocument({ primary_user, involved_users: [primary_user, invited.userId] });
  await publishDocument({
    primary_user,
    involved_users: [primary_user, invited.userId, party.userId],
    acquainted_users: [primary_user, party.userId],
  });
  await until('both were heard', async () => (await shared(party)) === 1);
  expect(await shared(invited)).toBe(0);
  for (const [from, to] of [
    [writer, invited],
    [invited, writer],
    [party, invited],
  ] as const) {
    const { body } = await api.call(from, 'GET', `/messaging/people/${to.userId}`);
    expect(body).toMatchObject({
      phone_no: expect.stringContaining('•'),
      email: expect.stringContaining('•'),
    });
  }
  for (let i = 0; i < PER_HOUR; i += 1) expect(await write()).toBe(201);
  expect(await write(invited)).toBe(429);
  expect(await write(party)).toBe(201);
});
