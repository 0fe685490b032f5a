import { jest } from '@jest/globals';
import { Upstream } from './upstream.ts';

const options = {
  name: 'wallet',
  title: 'The wallet service',
  url: 'http://127.0.0.1:1',
  connections: 1,
  maxInFlight: 2,
  queueTargetMs: 40,
  connectTimeoutMs: 100,
  idleTimeoutMs: 1_000,
};
const fail = (upstream: Upstream, times: number) => {
  for (let i = 0; i < times; i += 1) upstream.failed();
};

describe('the breaker', () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it('opens after ten faults in a row and lets one request per second probe', () => {
    const upstream = new Upstream(options);
    fail(upstream, 9);
    expect(upstream.admits()).toBe(true);
    fail(upstream, 1);
    expect(upstream.admits()).toBe(false);
    jest.advanceTimersByTime(1_000);
    expect([upstream.admits(), upstream.admits(), upstream.admits()]).toEqual([true, false, false]);
    jest.advanceTimersByTime(1_000);
    expect([upstream.admits(), upstream.admits()]).toEqual([true, false]);
  });

  it('closes with the first answer of any kind', () => {
    const upstream = new Upstream(options);
    fail(upstream, 10);
    upstream.answered();
    expect([upstream.admits(), upstream.admits()]).toEqual([true, true]);
    fail(upstream, 9);
    expect(upstream.admits()).toBe(true);
  });

  it('does not open for faults with answers between them', () => {
    const upstream = new Upstream(options);
    for (let i = 0; i < 5; i += 1) {
      fail(upstream, 9);
      upstream.answered();
    }
    expect(upstream.admits()).toBe(true);
  });
});
