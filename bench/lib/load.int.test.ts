import { setTimeout as sleep } from 'node:timers/promises';
import { closedLoop } from './closed-loop.ts';
import { fixedRate } from './fixed-rate.ts';

describe('fixedRate', () => {
  it('starts arrivals at the rate, independently of the answers', async () => {
    let begun = 0;
    const result = await fixedRate({
      rate: 500,
      durationMs: 1_000,
      warmUpMs: 200,
      task: async () => {
        begun += 1;
        await sleep(50);
      },
    });
    expect(begun).toBe(600);
    expect(result).toMatchObject({ offered: 500, completed: 500, failed: 0, dropped: 0, throughput: 500 });
    expect(result.latency.p50).toBeGreaterThanOrEqual(49);
  });

  it('counts a stall for every arrival that was due during it', async () => {
    // No answer for 300 ms of a second at 200/s: a closed loop would report one slow call.
    const stalling = () => {
      const start = performance.now();
      return async () => {
        const at = performance.now() - start;
        await sleep(at > 300 && at < 600 ? 600 - at : 1);
      };
    };
    const result = await fixedRate({ rate: 200, durationMs: 1_000, task: stalling() });
    expect(result.latency.p90).toBeGreaterThan(150);
    const closed = await closedLoop({ concurrency: 1, durationMs: 1_000, task: stalling() });
    expect(closed.latency.p90).toBeLessThan(100);
  });

  it('counts the time that an arrival waits because the sender is late', async () => {
    let blocked = false;
    const result = await fixedRate({
      rate: 100,
      durationMs: 500,
      task: async (index) => {
        if (index !== 10 || blocked) return;
        blocked = true;
        for (const end = performance.now() + 200; performance.now() < end;);
      },
    });
    expect(result.completed).toBe(50);
    expect(result.latency.max).toBeGreaterThan(150);
  });

  it('drops and counts arrivals above the limit', async () => {
    const result = await fixedRate({ rate: 200, durationMs: 500, maxInFlight: 5, task: () => sleep(1_500) });
    expect(result).toMatchObject({ offered: 100, completed: 5, dropped: 95 });
  });

  it('counts failures separately, with the first errors', async () => {
    const result = await fixedRate({
      rate: 200,
      durationMs: 500,
      task: (index) => (index % 2 === 0 ? Promise.resolve() : Promise.reject(new Error(`no ${index}`))),
    });
    expect(result).toMatchObject({ offered: 100, completed: 50, failed: 50 });
    expect(result.faults).toHaveLength(5);
    expect(result.faults[0]).toBe('Error: no 1');
  });
});

describe('closedLoop', () => {
  it('keeps all callers busy and counts the calls within the measured time', async () => {
    let running = 0;
    let most = 0;
    const result = await closedLoop({
      concurrency: 4,
      durationMs: 400,
      warmUpMs: 100,
      task: async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(20);
        running -= 1;
      },
    });
    expect(most).toBe(4);
    expect(result.completed).toBeGreaterThan(20);
    expect(result.completed).toBeLessThanOrEqual(84);
    expect(result.latency.p50).toBeGreaterThanOrEqual(19);
  });
});
