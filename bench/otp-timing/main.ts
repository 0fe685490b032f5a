/**
 * Whether asking for a code, entering a wrong one or registering tells if a number has an account: the same bodies,
 * and times that a statistical test over interleaved pairs does not tell apart (design §3 OTP).
 *
 * For each call: pairs (known, unknown) in random order, one after the other. It passes when the whole 95 % interval of
 * the median difference lies within the bound (equivalence); Mann-Whitney's p and effect are told beside it.
 */
import { newPerson, registrationForm, startApi } from '@karaar/service-auth/test/api';
import { mannWhitney, medianDifference } from '../lib/compare.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';

const PAIRS = size('BENCH_PAIRS', 600, 20);
const WARM_UP = isSmoke ? 1 : 40;
const ROOM = '1000000';

const api = await startApi('bench-otp-timing', {
  OTP_IP_PER_HOUR: ROOM,
  OTP_TOTAL_PER_HOUR: ROOM,
  REGISTER_IP_PER_HOUR: ROOM,
});

type Seen = { ms: number; status: number; body: string };
async function timed(run: () => Promise<{ status: number; body: unknown }>): Promise<Seen> {
  const start = performance.now();
  const { status, body } = await run();
  // The id of a challenge is another one each time.
  const text = JSON.stringify(body, (name, value: unknown) => (name === 'challenge_id' ? '' : value));
  return { ms: performance.now() - start, status, body: text };
}

async function compare(
  what: string,
  boundMs: number,
  known: () => Promise<Seen>,
  unknown: () => Promise<Seen>,
  options: { pairs: number; sameAnswer: boolean },
): Promise<Row[]> {
  const pairs: [number, number][] = [];
  const bodies = [new Set<string>(), new Set<string>()] as const;
  for (let i = -WARM_UP; i < options.pairs; i += 1) {
    const knownFirst = Math.random() < 0.5;
    const first = await (knownFirst ? known() : unknown());
    const second = await (knownFirst ? unknown() : known());
    const [k, u] = knownFirst ? [first, second] : [second, first];
    if (i < 0) continue;
    pairs.push([k.ms, u.ms]);
    bodies[0].add(`${k.status} ${k.body}`);
    bodies[1].add(`${u.status} ${u.body}`);
  }
  const difference = medianDifference(pairs);
  const [a, b] = [pairs.map(([k]) => k), pairs.map(([, u]) => u)];
  const { p, effect } = mannWhitney(a, b);
  const furthest = Math.max(Math.abs(difference.low), Math.abs(difference.high));
  const kinds = options.sameAnswer ? new Set([...bodies[0], ...bodies[1]]).size : Number.NaN;
  return [
    {
      what: `${what}: difference, the far end of its 95 % interval`,
      value: furthest,
      unit: 'ms',
      budget: { atMost: boundMs },
      note: `medians ${median(a).toFixed(2)} and ${median(b).toFixed(2)} ms, ${pairs.length} pairs`,
    },
    {
      what: `${what}: Mann-Whitney p`,
      value: p,
      unit: '',
      note: `P(known > unknown) = ${effect.toFixed(3)}`,
    },
    ...(options.sameAnswer
      ? [{ what: `${what}: kinds of answer`, value: kinds, unit: '', budget: { atMost: 1 } }]
      : []),
  ];
}

try {
  const members: string[] = [];
  for (let i = 0; i < 20; i += 1) {
    const person = newPerson();
    await api.register(person);
    members.push(person.phone);
  }
  let turn = 0;
  const aMember = () => members[(turn += 1) % members.length] ?? '';
  const aStranger = () => newPerson().phone;
  const send = (phone: () => string) => async () => {
    await api.forgetLimits();
    return timed(() => api.json('POST', '/auth/send-otp', { phone_no: phone() }));
  };
  const wrong = (phone: () => string) => async () => {
    const to = phone();
    await api.forgetLimits();
    await api.json('POST', '/auth/send-otp', { phone_no: to });
    return timed(() => api.json('POST', '/auth/login', { phone_no: to, otp: 'AAAAAA' }));
  };
  // Registering is compared with the e-mail taken in both, so that neither writes an account: one of them has the
  // phone taken as well. The answer itself says so (409); its time must say no more.
  const taken = newPerson();
  await api.register(taken);
  const register = (phone: () => string) => async () => {
    const form = await registrationForm({ phone: phone(), email: taken.email });
    return timed(() => api.send('/auth/register', form));
  };
  const rows = [
    ...(await compare('asking for a code', 1, send(aMember), send(aStranger), {
      pairs: PAIRS,
      sameAnswer: true,
    })),
    ...(await compare('a wrong code', 1, wrong(aMember), wrong(aStranger), {
      pairs: PAIRS,
      sameAnswer: true,
    })),
    ...(await compare('registering', 5, register(aMember), register(aStranger), {
      pairs: Math.ceil(PAIRS / 4),
      sameAnswer: false,
    })),
  ];
  process.exitCode = report({ name: 'otp-timing', rows });
} finally {
  await api.stop();
}
