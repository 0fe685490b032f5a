/** People who are known to the service and signed in, and a long conversation between two of them. */
import { randomUUID } from 'node:crypto';
import { sessionKey } from '@karaar/platform/auth';
import type { ServiceWorld } from '@karaar/testing/service-world';
import { Redis } from 'ioredis';
import pg from 'pg';

export type Chatter = { userId: string; token: string };

/** Makes people by the thousand: straight into the directory and the sessions, as auth's facts would put them there. */
export async function makePeople(world: ServiceWorld, count: number): Promise<Chatter[]> {
  const people: (Chatter & { sessionId: string })[] = [];
  for (let i = 0; i < count; i += 1) {
    const [userId, sessionId] = [randomUUID(), randomUUID()];
    people.push({ userId, sessionId, token: await world.issuer.user({ userId, sessionId }) });
  }
  const db = new pg.Client({ connectionString: world.env['DATABASE_URL'] });
  await db.connect();
  await db.query(
    `INSERT INTO directory (user_id, char_id, name, email, phone_no, is_active, profile_complete, version)
     SELECT id, 'B' || lpad(n::text, 7, '0'), 'Person ' || n, 'p' || n || '@example.org',
       '+919' || lpad(n::text, 9, '0'), true, true, 1
     FROM unnest($1::uuid[]) WITH ORDINALITY AS person (id, n)`,
    [people.map(({ userId }) => userId)],
  );
  await db.end();
  const redis = new Redis(world.env['REDIS_URL'] ?? '');
  const pipeline = redis.pipeline();
  for (const { sessionId } of people) pipeline.set(sessionKey(sessionId), 'active', 'EX', 3_600);
  await pipeline.exec();
  redis.disconnect();
  return people;
}

/** Fills the conversation of two, which have written once already, up to a number of messages. */
export async function fillConversation(
  world: ServiceWorld,
  [a, b]: readonly [Chatter, Chatter],
  count: number,
): Promise<void> {
  const db = new pg.Client({ connectionString: world.env['DATABASE_URL'] });
  await db.connect();
  await db.query(
    `INSERT INTO messages (id, conversation_id, seq, nth, sender_id, receiver_id, content, created_at)
     SELECT gen_random_uuid(), t.conversation_id, n, n, $1, $2, 'Message ' || n, now() - make_interval(secs => $3 - n)
     FROM threads t, generate_series(t.last_seq + 1, $3::int) AS n WHERE t.user_id = $1 AND t.other_id = $2`,
    [a.userId, b.userId, count],
  );
  await db.query(
    `WITH one AS (UPDATE conversations SET last_seq = $3 WHERE user_a = LEAST($1::uuid, $2) AND user_b = GREATEST($1::uuid, $2))
     UPDATE threads SET last_seq = $3, received = CASE WHEN user_id = $2 THEN $3 ELSE received END
     WHERE (user_id, other_id) IN (($1, $2), ($2, $1))`,
    [a.userId, b.userId, count],
  );
  await db.query('ANALYZE messages');
  await db.end();
}
