/** Random sequences of actions and crashes against the real wallet and payments. */
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { Payment } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import fc from 'fast-check';
import { faultsOf, settled } from './testing/books.ts';
import { dealings, MESSENGERS, type Dealings, type Messenger } from './testing/dealings.ts';
import { inProcess, type Crashable } from './testing/in-process.ts';
import { startMoneyWorld, type MoneyWorld, type PartName } from './testing/money-world.ts';

jest.setTimeout(120_000);

/** The length of the search. */
const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 8);
/** How long the provider resets connections, or makes refunds without an answer. */
const PROVIDER_MS = 60;
const SHARES = [50, 30, 20] as const;

let world: MoneyWorld;
let parts: Record<PartName, Crashable>;
let deals: Dealings;

beforeAll(async () => {
  world = await startMoneyWorld('interleavings');
  parts = {
    wallet: await inProcess('wallet', world.env.wallet, world.walletPort),
    payments: await inProcess('payments', world.env.payments),
  };
  deals = await dealings(world, (name) => parts[name].url());
}, 120_000);
afterAll(async () => {
  await Promise.all([parts.wallet.stop(), parts.payments.stop()]);
  await world.stop();
});

type Step = { afterMs: number; wait: boolean } & (
  | { kind: 'topUp'; user: number; rupees: number; messengers: Messenger[] }
  | { kind: 'late'; which: number; messenger: Messenger }
  | { kind: 'pay'; user: number; document: number; patient: boolean }
  | { kind: 'refund'; which: number; rupees: number; patient: boolean }
  | { kind: 'giveUp'; user: number; patient: boolean }
  | { kind: 'provider'; mode: 'reset' | 'forgetful' }
  | { kind: 'crash'; part: PartName }
);

const index = fc.nat({ max: 5 });
const user = fc.nat({ max: SHARES.length - 1 });
const messenger = fc.constantFrom(...MESSENGERS);
const when = { afterMs: fc.nat({ max: 25 }), wait: fc.boolean() };
const topUp = fc.record({
  kind: fc.constant('topUp' as const),
  user,
  rupees: fc.constantFrom(1, 2.5, 5, 20),
  messengers: fc.array(messenger, { maxLength: 4 }),
  ...when,
});
const pay = fc.record({
  kind: fc.constant('pay' as const),
  user,
  document: fc.nat({ max: 1 }),
  patient: fc.boolean(),
  ...when,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: topUp },
  fc.record({ kind: fc.constant('late' as const), which: index, messenger, ...when }),
  { weight: 3, arbitrary: pay },
  fc.record({
    kind: fc.constant('refund' as const),
    which: index,
    rupees: fc.constantFrom(1, 2, 5),
    patient: fc.boolean(),
    ...when,
  }),
  fc.record({ kind: fc.constant('giveUp' as const), user, patient: fc.boolean(), ...when }),
  fc.record({
    kind: fc.constant('provider' as const),
    mode: fc.constantFrom('reset' as const, 'forgetful' as const),
    ...when,
  }),
  fc.record({
    kind: fc.constant('crash' as const),
    part: fc.constantFrom<PartName>('wallet', 'payments'),
    ...when,
  }),
);

/** Runs a sequence; a step without `wait` runs in parallel with the next ones. */
async function carryOut(steps: readonly Step[]): Promise<void> {
  const users = await Promise.all(SHARES.map((_, i) => world.world.addUser(`User ${i}`)));
  const documents = [await deals.shareOut(users, SHARES), await deals.shareOut(users, SHARES)];
  const topUps: { user: WorldUser; payment: Payment }[] = [];
  const act = async (each: Step): Promise<void> => {
    await sleep(each.afterMs);
    switch (each.kind) {
      case 'topUp': {
        const payer = at(users, each.user);
        topUps.push({ user: payer, payment: await deals.topUp(payer, each.rupees, each.messengers) });
        return;
      }
      case 'late': {
        const before = topUps[each.which % Math.max(1, topUps.length)];
        return before && deals.tell(before.user, before.payment, each.messenger);
      }
      case 'pay':
        return deals.pay(at(users, each.user), at(documents, each.document), each.patient);
      case 'refund': {
        const before = topUps[each.which % Math.max(1, topUps.length)];
        return before && deals.refund(before.payment, each.rupees, each.patient);
      }
      case 'giveUp':
        return deals.giveUp(at(users, each.user), each.patient);
      case 'provider':
        // Only for a moment, because calls wait for the provider.
        world.razorpay.mode = each.mode;
        await sleep(PROVIDER_MS);
        world.razorpay.mode = 'normal';
        return;
      case 'crash':
        return parts[each.part].crash();
    }
  };
  const open: Promise<void>[] = [];
  for (const each of steps) {
    const done = act(each);
    open.push(done);
    if (each.wait) await done;
  }
  await Promise.all(open);
}

const at = <T>(list: readonly T[], i: number): T => {
  const found = list[i % list.length];
  if (found === undefined) throw new Error('The list is empty');
  return found;
};

it('[WALLET-032] [WALLET-034] [WALLET-036] [WALLET-037] [PAY-057] [PAY-058] any interleaving of top-ups, webhooks, payments, refunds, repeats and crashes conserves money', async () => {
  const { reported } = deals;
  const until = Date.now() + SECONDS * 1_000;
  let runs = 0;
  // Fewer outcomes prove little. A busy machine needs more time for them.
  const isEnough = () =>
    runs >= 8 &&
    reported.paid.size >= 4 &&
    reported.refunded.size >= 1 &&
    reported.refused >= 1 &&
    Date.now() > until;
  const sequence = fc.array(step, { minLength: 6, maxLength: 30, size: 'max' });
  await fc.assert(
    // Several groups run in parallel, because a payment takes seconds after a crash of the wallet.
    fc.asyncProperty(fc.array(sequence, { minLength: 4, maxLength: 4 }), async (groups) => {
      if (isEnough()) return;
      await Promise.all(groups.map(carryOut));
      await settled(world);
      expect(await faultsOf(world, reported)).toEqual([]);
      runs += groups.length;
    }),
    // A sequence has another timing when it is repeated, so it cannot be shrunk.
    { numRuns: 50 * SECONDS, endOnFailure: true },
  );
  expect(isEnough()).toBe(true);
});
