/** The concurrency limit in front of simulated services: the rules of load shedding for any service. */
import fc from 'fast-check';
import { ServiceGate } from './service-gate.ts';
import { simulate, type Load } from '../../test/simulation.ts';

const gateOf = () => new ServiceGate({ targetMs: 40, maxQuick: 1_024, maxLong: 128 });

const percentile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

describe('the concurrency limit of a service', () => {
  it('keeps the service busy and its answers quick at any overload and cost of an answer', () => {
    fc.assert(
      fc.property(
        fc.record({
          workers: fc.integer({ min: 1, max: 8 }),
          workMs: fc.double({ min: 0.5, max: 20, noNaN: true }),
          waitMs: fc.double({ min: 0, max: 40, noNaN: true }),
          times: fc.double({ min: 1.3, max: 5, noNaN: true }),
          seed: fc.nat(),
        }),
        ({ workers, workMs, waitMs, times, seed }) => {
          const capacity = (workers * 1_000) / workMs;
          // Limits the number of simulated requests.
          fc.pre(capacity * times < 4_000);
          const loads: Load[] = [{ perSecond: capacity * times, workMs, waitMs }];
          // Long enough to exclude chance: at four thousand answers, one run in thirty is below the bound.
          const measured = Math.max(7, 32_000 / capacity);
          const seconds = 3 + measured;
          const { usual } = simulate(gateOf(), { workers, loads, seconds, measureFromS: 3, seed });
          expect(usual.answered / measured / capacity).toBeGreaterThan(0.9);
          expect(percentile(usual.timesMs, 0.99)).toBeLessThan(500);
        },
      ),
      // The example slowly fills the queue of a slow service while its limit has not been measured yet.
      {
        numRuns: 20,
        examples: [[{ workers: 1, workMs: 17.19396194993969, waitMs: 0, times: 1.3, seed: 0 }]],
      },
    );
  });

  it('refuses no request while the service keeps up', () => {
    fc.assert(
      fc.property(
        fc.record({
          workers: fc.integer({ min: 1, max: 8 }),
          workMs: fc.double({ min: 0.5, max: 20, noNaN: true }),
          part: fc.double({ min: 0.01, max: 0.7, noNaN: true }),
          seed: fc.nat(),
        }),
        ({ workers, workMs, part, seed }) => {
          const perSecond = Math.min(2_000, (part * workers * 1_000) / workMs);
          const { usual } = simulate(gateOf(), {
            workers,
            loads: [{ perSecond, workMs }],
            seconds: 10,
            seed,
          });
          expect(usual.answered).toBeGreaterThanOrEqual(usual.offered - 20);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('refuses no request before a measurement: those of a pause of 100 ms at 1,000 a second find room', () => {
    const gate = gateOf();
    for (let request = 0; request < 100; request += 1) {
      expect(gate.hasRoom('quick', 'usual')).toBe(true);
      gate.enter('quick');
    }
  });

  it('lets payments and sign-in pass while the other load is three times too high, and reads before lists', () => {
    const loads: Load[] = [
      { perSecond: 50, workMs: 4, urgency: 'vital' },
      { perSecond: 150, workMs: 4, urgency: 'usual' },
      { perSecond: 600, workMs: 4, urgency: 'patient' },
    ];
    const part = ({ answered, offered }: { answered: number; offered: number }) => answered / offered;
    const { vital, usual, patient } = simulate(gateOf(), { workers: 1, loads, seconds: 15, measureFromS: 3 });
    expect(part(vital)).toBeGreaterThan(0.99);
    expect(part(usual)).toBeGreaterThan(0.9);
    expect(part(patient)).toBeLessThan(0.3);
  });

  it('is not affected by calls that take long without keeping the service busy', () => {
    const loads: Load[] = [
      { perSecond: 200, workMs: 2 },
      { perSecond: 20, workMs: 0.1, waitMs: 3_000, trafficClass: 'long', urgency: 'patient' },
    ];
    const { usual, patient } = simulate(gateOf(), { workers: 1, loads, seconds: 15, measureFromS: 3 });
    expect(usual.answered).toBeGreaterThanOrEqual(usual.offered - 20);
    expect(patient.offered).toBeGreaterThan(200);
  });

  it('accepts within half a minute that a service has become slower without being busy', () => {
    const loads: Load[] = [
      { perSecond: 400, workMs: 1, waitMs: 5, untilS: 10 },
      { perSecond: 400, workMs: 1, waitMs: 300, fromS: 10 },
    ];
    const { usual } = simulate(gateOf(), { workers: 2, loads, seconds: 60, measureFromS: 45 });
    expect(usual.answered / usual.offered).toBeGreaterThan(0.95);
  });

  it('recovers a moment after the load has gone', () => {
    const loads: Load[] = [
      { perSecond: 2_000, workMs: 2, untilS: 10 },
      { perSecond: 200, workMs: 2, fromS: 10 },
    ];
    const { usual } = simulate(gateOf(), { workers: 1, loads, seconds: 20, measureFromS: 11 });
    expect(usual.answered).toBeGreaterThanOrEqual(usual.offered - 10);
    expect(percentile(usual.timesMs, 0.99)).toBeLessThan(100);
  });
});
