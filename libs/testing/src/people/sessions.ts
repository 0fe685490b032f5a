import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

/** Records a session in Redis as the auth service does, so that its tokens are valid. @returns its id */
export async function activeSession(redisUrl: string): Promise<string> {
  const redis = new Redis(redisUrl);
  const sessionId = randomUUID();
  await redis.set(`session:${sessionId}`, 'active', 'EX', 3_600);
  await redis.quit();
  return sessionId;
}

/**
 * Marks a session in Redis as ended, as the auth service does.
 *
 * @param redisUrl with a user who may write sessions
 */
export async function revokeSession(redisUrl: string, sessionId: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.set(`session:${sessionId}`, 'revoked');
  await redis.quit();
}
