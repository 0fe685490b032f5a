/**
 * Challenges and their counters, in Postgres: counters of attempts must survive a restart, which Redis does not
 * promise. Each call is one SQL function and so one decision.
 */
import { addressOf, customerNetworkOf } from '@karaar/platform/addresses';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import {
  codeDigest,
  keyed,
  OTP_MAX_SENDS,
  OTP_MAX_TRIES,
  OTP_RESEND_MS,
  OTP_SENDS_WINDOW_MS,
  OTP_TTL_MS,
  type Purpose,
} from './otp.ts';

export type OtpStore = {
  /**
   * 0 when stored, otherwise the milliseconds to wait. A phone has one valid code per purpose: a new code replaces
   * the earlier one.
   */
  open: (to: Purpose, code: string, send: { id: string; ip: string }) => Promise<number>;
  /** True once, for the right code within its time and tries. */
  redeem: (to: Purpose, code: string) => Promise<boolean>;
  /** Deletes a code whose message was certainly not sent, so that the next one need not wait. */
  cancel: (to: Purpose, sendId: string) => Promise<void>;
  /** Removes what has expired. */
  prune: () => Promise<void>;
};

/** The share of all codes of an hour that one customer's network may have, above what one of its addresses may. */
const NETWORK_SHARE = 1 / 20;

/** @param pepper key of the HMACs under which phones, addresses and codes are kept */
export function createOtpStore(
  db: Db,
  pepper: Buffer,
  caps: { ipPerHour: number; totalPerHour: number },
): OtpStore {
  const networkPerHour = Math.max(caps.ipPerHour, Math.ceil(caps.totalPerHour * NETWORK_SHARE));
  const challengeKey = (to: Purpose) => keyed(pepper, `${to.purpose}\0${to.phone}`);
  const digest = (to: Purpose, code: string) => codeDigest(pepper, `${to.purpose}\0${to.phone}`, code);
  return {
    open: async (to, code, { id, ip }) => {
      const { rows } = await sql<{ wait: number }>`
        SELECT otp_open_within(${keyed(pepper, customerNetworkOf(ip))}, ${networkPerHour},
          ${id}, ${challengeKey(to)}, ${keyed(pepper, to.phone)}, ${keyed(pepper, addressOf(ip))},
          ${digest(to, code)}, ${ms(OTP_TTL_MS)}, ${ms(OTP_RESEND_MS)}, ${OTP_MAX_SENDS},
          ${ms(OTP_SENDS_WINDOW_MS)}, ${caps.ipPerHour}, ${caps.totalPerHour}) AS wait`.execute(db);
      return rows[0]?.wait ?? Number.POSITIVE_INFINITY;
    },
    redeem: async (to, code) => {
      const { rows } = await sql<{ ok: boolean }>`
        SELECT otp_redeem(${challengeKey(to)}, ${digest(to, code)}, ${OTP_MAX_TRIES}) AS ok`.execute(db);
      return rows[0]?.ok === true;
    },
    cancel: async (to, sendId) => {
      await sql`
        WITH gone AS (DELETE FROM otp_sends WHERE id = ${sendId})
        DELETE FROM otp_challenges WHERE key = ${challengeKey(to)}`.execute(db);
    },
    prune: async () => {
      await sql`DELETE FROM otp_challenges WHERE expires_at < now()`.execute(db);
      await sql`DELETE FROM otp_sends WHERE at < now() - ${ms(OTP_SENDS_WINDOW_MS)}::interval`.execute(db);
    },
  };
}

const ms = (duration: number): string => `${duration} milliseconds`;
