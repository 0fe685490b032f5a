import { jest } from '@jest/globals';
import { Breaker } from './breaker.ts';

const fail = (breaker: Breaker, times: number) => {
  for (let i = 0; i < times; i += 1) breaker.failed();
};

describe('the breaker', () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it('opens after ten faults in a row and lets one request per second probe', () => {
    const breaker = new Breaker();
    fail(breaker, 9);
    expect(breaker.admits()).toBe(true);
    fail(breaker, 1);
    expect(breaker.admits()).toBe(false);
    jest.advanceTimersByTime(1_000);
    expect([breaker.admits(), breaker.admits(), breaker.admits()]).toEqual([true, false, false]);
    jest.advanceTimersByTime(1_000);
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
  });

  it('closes with the first answer of any kind', () => {
    const breaker = new Breaker();
    fail(breaker, 10);
    breaker.answered();
    expect([breaker.admits(), breaker.admits()]).toEqual([true, true]);
    fail(breaker, 9);
    expect(breaker.admits()).toBe(true);
  });

  it('stays closed for faults with answers between them', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 5; i += 1) {
      fail(breaker, 9);
      breaker.answered();
    }
    expect(breaker.admits()).toBe(true);
  });
});
