import { jest } from '@jest/globals';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { call } from './call.ts';
import { serverClock } from './server-clock.ts';

const NOW = Date.parse('2026-11-27T10:00:00Z');
const HOUR = 3_600_000;
const at = (ms: number) => new Date(ms).toUTCString();

beforeAll(() => Object.assign(globalThis, { localStorage: { getItem: () => null } }));
beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  serverClock.heard(at(NOW), NOW);
});
afterEach(() => jest.useRealTimers());

describe('the server’s time', () => {
  it('comes from its responses, whatever the clock of the device shows', () => {
    for (const hours of [-24 * 400, -5.5, 5.5, 24 * 3]) {
      serverClock.heard(at(NOW - hours * HOUR), NOW);
      expect(serverClock.now()).toBe(NOW - hours * HOUR);
      expect(serverClock.wrongBy()).toBe(hours * HOUR);
      jest.advanceTimersByTime(1_500);
      expect(serverClock.date().getTime()).toBe(NOW - hours * HOUR + 1_500);
      jest.setSystemTime(NOW);
    }
  });

  it('equals the device’s time for users if the clocks differ by minutes at most', () => {
    serverClock.heard(at(NOW - 9 * 60_000), NOW);
    expect(serverClock.wrongBy()).toBe(0);
    expect(serverClock.now()).toBe(NOW - 9 * 60_000);
  });

  it('is not taken from a response without a date, or one left unread while the device slept', () => {
    for (const [date, askedAt] of [
      [null, NOW],
      ['yesterday', NOW],
      [at(NOW - 8 * HOUR), NOW - 8 * HOUR],
      // The clock was set back meanwhile.
      [at(NOW - HOUR), NOW + HOUR],
    ] as const)
      serverClock.heard(date, askedAt);
    expect([serverClock.wrongBy(), serverClock.now()]).toEqual([0, NOW]);
  });

  it('calls back when the difference changes, not at each response', () => {
    const changed = jest.fn();
    const stop = serverClock.subscribe(changed);
    for (const ms of [3 * HOUR, 3 * HOUR + 900, 3 * HOUR - 900, 0, 500]) serverClock.heard(at(NOW - ms), NOW);
    expect(changed).toHaveBeenCalledTimes(2);
    stop();
    serverClock.heard(at(NOW - HOUR), NOW);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it('is updated by every call', async () => {
    const answers = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () =>
        Response.json({ sms_notices: true }, { headers: { date: at(NOW - 30 * HOUR) } }),
      );
    await call(documentsRoutes.getTextMessageSettings);
    answers.mockRestore();
    expect(serverClock.wrongBy()).toBe(30 * HOUR);
  });
});
