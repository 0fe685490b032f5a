/**
 * Challenges and their counters. They are in Postgres because counters of attempts must survive a restart.
 * Each call is one SQL function, so each decision is atomic.
 */
import { addressOf, customerNetworkOf } from '@karaar/base/addresses';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import {
  codeDigest,
  keyed,
  OTP_MAX_LIVE,
  OTP_MAX_SENDS,
  OTP_MAX_TRIES,
  OTP_RESEND_MS,
  OTP_SENDS_WINDOW_MS,
  OTP_TIME_LEFT_MS,
  OTP_TTL_MS,
  type Purpose,
} from './otp.ts';

export type Asker = {
  ip: string;
  /** The browser's secret. Without it and without `as`, all browsers at one address count as one. */
  browser?: string | undefined;
  /** A proved name under which the request is counted. */
  as?: string;
  /** True if the person has proved a relation to the phone, so that the caps of strangers do not apply. */
  own?: boolean;
};

/** Why no code is sent: too many sends by this person, to this phone, to this network, or in total. */
export type WaitCause = 'asker' | 'phone' | 'network' | 'all';
export type Opened = { waitMs: 0; texted: boolean } | { waitMs: number; cause: WaitCause };

export type OtpStore = {
  /** Stores a challenge under `id`. Returns whether its code is to be sent, or how long to wait and why. */
  open: (to: Purpose, code: string, id: string, from: Asker) => Promise<Opened>;
  /**
   * Returns true once, for a right code within the challenge's time and tries. Without `challengeId` the
   * latest code counts.
   */
  redeem: (to: Purpose, code: string, challengeId?: string) => Promise<boolean>;
  /** Deletes a code whose message was certainly not sent, so that the next one need not wait. */
  cancel: (to: Purpose, code: string, id: string) => Promise<void>;
  /** Returns the key under which a browser is known for a phone. */
  browserKey: (phone: string, browser: string) => string;
  prune: () => Promise<void>;
};

/** The share of all codes of an hour that one network may use, unless the limit of one address is higher. */
const NETWORK_SHARE = 1 / 20;

/** @param pepper key of the HMACs that stand for phones, addresses, browsers and codes */
export function createOtpStore(
  db: Db,
  pepper: Buffer,
  caps: { ipPerHour: number; totalPerHour: number },
): OtpStore {
  const networkPerHour = Math.max(caps.ipPerHour, Math.ceil(caps.totalPerHour * NETWORK_SHARE));
  const challengeKey = (to: Purpose) => keyed(pepper, `${to.purpose}\0${to.phone}`);
  const digest = (to: Purpose, code: string) => codeDigest(pepper, `${to.purpose}\0${to.phone}`, code);
  const browserKey = (phone: string, browser: string) => keyed(pepper, `browser\0${phone}\0${browser}`);
  return {
    browserKey,
    open: async (to, code, id, { ip, browser, as, own }) => {
      const network = addressOf(ip);
      const known = browser === undefined ? null : browserKey(to.phone, browser);
      const asker = known ?? keyed(pepper, `${to.phone}\0${as ?? network}`);
      // Texts of one purpose must not use up those of another, whose codes they do not carry.
      const [room] = to.purpose.split(':');
      const { rows } = await sql<{ wait: number; cause: WaitCause; texted: boolean }>`
        SELECT wait, cause, texted FROM otp_ask(${id}, ${challengeKey(to)}, ${keyed(pepper, to.phone)},
          ${room}, ${own !== true}, ${known}, ${asker}, ${keyed(pepper, network)},
          ${keyed(pepper, customerNetworkOf(ip))}, ${digest(to, code)},
          ${ms(OTP_TTL_MS)}, ${ms(OTP_TIME_LEFT_MS)}, ${ms(OTP_RESEND_MS)}, ${OTP_MAX_SENDS},
          ${ms(OTP_SENDS_WINDOW_MS)}, ${OTP_MAX_LIVE}, ${caps.ipPerHour}, ${networkPerHour},
          ${caps.totalPerHour})`.execute(db);
      const [row] = rows;
      if (!row) throw new Error('otp_ask returned no row.');
      return row.wait > 0 ? { waitMs: row.wait, cause: row.cause } : { waitMs: 0, texted: row.texted };
    },
    redeem: async (to, code, challengeId) => {
      const [key, entered] = [challengeKey(to), digest(to, code)];
      const { rows } = await (
        challengeId === undefined
          ? sql<{ ok: boolean }>`SELECT otp_redeem(${key}, ${entered}, ${OTP_MAX_TRIES}) AS ok`
          : sql<{ ok: boolean }>`
              SELECT otp_answer(${challengeId}, ${key}, ${keyed(pepper, to.phone)}, ${entered},
                ${ms(OTP_TTL_MS)}, ${OTP_MAX_TRIES}) AS ok`
      ).execute(db);
      return rows[0]?.ok === true;
    },
    cancel: async (to, code, id) => {
      await sql`
        WITH gone AS (DELETE FROM otp_sends WHERE id = ${id})
        DELETE FROM otp_challenges WHERE key = ${challengeKey(to)} AND digest = ${digest(to, code)}`.execute(
        db,
      );
    },
    prune: async () => {
      await sql`DELETE FROM otp_challenges WHERE expires_at < now()`.execute(db);
      await sql`DELETE FROM otp_sends WHERE at < now() - interval '1 day'`.execute(db);
    },
  };
}

const ms = (duration: number): string => `${duration} milliseconds`;
