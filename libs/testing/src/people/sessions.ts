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

/**
 * Writes down in Redis that a session is over, as the auth service does.
 *
 * @param redisUrl with a user who may write there
 */
export async function revokeSession(redisUrl: string, sessionId: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.set(`session:${sessionId}`, 'revoked');
  await redis.quit();
}
