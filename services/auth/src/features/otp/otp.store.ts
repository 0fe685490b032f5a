/**
 * Challenges and caps in Redis, decided atomically by Lua. Without Redis nothing is granted: every call fails.
 */
import type { Redis } from '@karaar/platform/redis';
import { OTP_MAX_SENDS, OTP_MAX_TRIES, OTP_RESEND_MS, OTP_SENDS_WINDOW_MS, OTP_TTL_MS } from './otp.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns 0 when the challenge was stored, else the milliseconds until a send is possible again.
 * Sends are counted in sliding windows; a refused send counts nowhere.
 */
const SEND = `
local challenge, cooldown, sends, ip, total = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local digest, now, id = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local wait = redis.call('PTTL', cooldown)
if wait > 0 then return wait end
local function full(key, window, max)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  if redis.call('ZCARD', key) < max then return 0 end
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  return math.max(1, tonumber(oldest[2]) + window - now)
end
for _, cap in ipairs({ {sends, ${OTP_SENDS_WINDOW_MS}, ${OTP_MAX_SENDS}}, {ip, ${HOUR_MS}, tonumber(ARGV[4])},
                       {total, ${HOUR_MS}, tonumber(ARGV[5])} }) do
  wait = full(cap[1], cap[2], cap[3])
  if wait > 0 then return wait end
end
redis.call('DEL', challenge)
redis.call('HSET', challenge, 'digest', digest, 'tries', 0)
redis.call('PEXPIRE', challenge, ${OTP_TTL_MS})
redis.call('SET', cooldown, '1', 'PX', ${OTP_RESEND_MS})
for _, count in ipairs({ {sends, ${OTP_SENDS_WINDOW_MS}}, {ip, ${HOUR_MS}}, {total, ${HOUR_MS}} }) do
  redis.call('ZADD', count[1], now, id)
  redis.call('PEXPIRE', count[1], count[2])
end
return 0`;

/** Returns 1 for the right code, which is then used up. The try is counted before the code is looked at. */
const VERIFY = `
local challenge = KEYS[1]
if redis.call('EXISTS', challenge) == 0 then return 0 end
local tries = redis.call('HINCRBY', challenge, 'tries', 1)
if tries > ${OTP_MAX_TRIES} then return 0 end
if redis.call('HGET', challenge, 'digest') ~= ARGV[1] then return 0 end
redis.call('DEL', challenge)
return 1`;

export type OtpStore = {
  /** 0 when stored, else milliseconds to wait. One live code per phone: an earlier one is gone. */
  open: (phone: string, digest: string, caller: { ip: string; sendId: string }) => Promise<number>;
  /** True once, for the right code within its time and tries. */
  redeem: (phone: string, digest: string) => Promise<boolean>;
  /** Forgets a code whose text could not be sent, so that the next send need not wait. */
  cancel: (phone: string) => Promise<void>;
};

export function createOtpStore(redis: Redis, caps: { ipPerHour: number; totalPerHour: number }): OtpStore {
  const challenge = (phone: string) => `otp:code:${phone}`;
  const cooldown = (phone: string) => `otp:wait:${phone}`;
  return {
    open: async (phone, digest, { ip, sendId }) =>
      Number(
        await redis.eval(
          SEND,
          5,
          challenge(phone),
          cooldown(phone),
          `otp:sends:${phone}`,
          `otp:ip:${ip}`,
          'otp:total',
          digest,
          Date.now(),
          sendId,
          caps.ipPerHour,
          caps.totalPerHour,
        ),
      ),
    redeem: async (phone, digest) => (await redis.eval(VERIFY, 1, challenge(phone), digest)) === 1,
    cancel: async (phone) => {
      await redis.del(challenge(phone), cooldown(phone));
    },
  };
}
