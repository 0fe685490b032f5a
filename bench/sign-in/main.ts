/** Sign-in must not reveal by its time whether a number has an account (design §3 OTP); equal answers are tested in auth. */
import { newPerson, registrationForm, startApi } from '@karaar/service-auth/test/api';
import { report, row, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';

const PAIRS = size('BENCH_PAIRS', 600, 20);
const WARM_UP = isSmoke ? 1 : 40;
const RESAMPLES = 2_000;
const ROOM = '1000000';

const api = await startApi('bench-sign-in', {
  OTP_IP_PER_HOUR: ROOM,
  OTP_TOTAL_PER_HOUR: ROOM,
  REGISTER_IP_PER_HOUR: ROOM,
});
const members: string[] = [];

const random = (below: number) => Math.floor(Math.random() * below);
const aMember = () => members[random(members.length)] ?? '';
const newNumber = () => newPerson().phone;

/**
 * Calls with a member's and with a new number, in pairs of random order, so that a slow moment affects both.
 * @returns the far end of the 95 % interval of the median difference (bootstrap), in ms
 */
async function compare(
  what: string,
  atMost: number,
  pairs: number,
  call: (phone: string) => Promise<number>,
): Promise<Row> {
  const times: [number, number][] = [];
  for (let i = -WARM_UP; i < pairs; i += 1) {
    const isSwapped = Math.random() < 0.5;
    const first = await call(isSwapped ? newNumber() : aMember());
    const second = await call(isSwapped ? aMember() : newNumber());
    if (i >= 0) times.push(isSwapped ? [second, first] : [first, second]);
  }
  const differences = times.map(([member, other]) => member - other);
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(differences.map(() => differences[random(differences.length)] ?? NaN)),
  ).toSorted((a, b) => a - b);
  const ends = [RESAMPLES * 0.025, RESAMPLES * 0.975].map((at) => Math.abs(medians[at] ?? NaN));
  const of = (side: 0 | 1) => median(times.map((pair) => pair[side])).toFixed(2);
  return row(`${what}: difference, the far end of its 95 % interval`, Math.max(...ends), 'ms', {
    atMost,
    note: `medians ${of(0)} and ${of(1)} ms, ${pairs} pairs`,
  });
}

async function timed(status: number, run: () => Promise<{ status: number }>): Promise<number> {
  const start = performance.now();
  const answer = await run();
  const ms = performance.now() - start;
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}`);
  return ms;
}

const sendOtp = (phone: string) => api.json('POST', '/auth/send-otp', { phone_no: phone });

try {
  for (let i = 0; i < 20; i += 1) {
    const person = newPerson();
    await api.register(person);
    members.push(person.phone);
  }
  const taken = newPerson();
  await api.register(taken);
  const rows = [
    await compare('sending a code', 1, PAIRS, async (phone) => {
      await api.forgetLimits();
      return timed(200, () => sendOtp(phone));
    }),
    await compare('a wrong code', 1, PAIRS, async (phone) => {
      await api.forgetLimits();
      await sendOtp(phone);
      return timed(400, () => api.json('POST', '/auth/login', { phone_no: phone, otp: 'AAAAAA' }));
    }),
    // The e-mail address is taken in both cases, so that neither creates an account.
    await compare('registering', 5, Math.ceil(PAIRS / 4), async (phone) => {
      const form = await registrationForm({ phone, email: taken.email });
      return timed(409, () => api.send('/auth/register', form));
    }),
  ];
  process.exitCode = report({ name: 'sign-in', rows });
} finally {
  await api.stop();
}
