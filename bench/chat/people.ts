import { randomUUID } from 'node:crypto';
import { sessionKey } from '@karaar/http/auth';
import type { ServiceWorld } from '@karaar/testing/service-world';
import { Redis } from 'ioredis';
import pg from 'pg';

export type Chatter = { userId: string; token: string };

/** Adds signed-in users to the directory and the sessions, as auth's events would do. */
export async function makePeople(world: ServiceWorld, count: number): Promise<Chatter[]> {
  const people: (Chatter & { sessionId: string })[] = [];
  for (let i = 0; i < count; i += 1) {
    const [userId, sessionId] = [randomUUID(), randomUUID()];
    people.push({ userId, sessionId, token: await world.issuer.user({ userId, sessionId }) });
  }
  const db = new pg.Client({ connectionString: world.ownerUrl });
  await db.connect();
  await db.query(
    `INSERT INTO directory (user_id, char_id, name, email, phone_no, is_active, profile_complete, version)
     SELECT id, 'B' || lpad(n::text, 7, '0'), 'Person ' || n, 'p' || n || '@example.org',
       '+919' || lpad(n::text, 9, '0'), true, true, 1
     FROM unnest($1::uuid[]) WITH ORDINALITY AS person (id, n)`,
    [people.map(({ userId }) => userId)],
  );
  await db.end();
  const redis = new Redis(world.redisUrl);
  const pipeline = redis.pipeline();
  for (const { sessionId } of people) pipeline.set(sessionKey(sessionId), 'active', 'EX', 3_600);
  for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  redis.disconnect();
  return people;
}
