import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

/** Writes down a session as the auth service does, so that its tokens are good. @returns its id */
export async function activeSession(redisUrl: string): Promise<string> {
  const redis = new Redis(redisUrl);
  const sessionId = randomUUID();
  await redis.set(`session:${sessionId}`, 'active', 'EX', 3_600);
  await redis.quit();
  return sessionId;
}
