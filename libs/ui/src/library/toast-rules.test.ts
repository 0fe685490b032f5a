import { toastDuration, TOASTS_AT_ONCE } from './toast-rules.ts';

describe('toasts', () => {
  it('[LIMIT-001] at most 20 at once', () => {
    expect(TOASTS_AT_ONCE).toBe(20);
  });

  it('[LIMIT-002] [LIMIT-003] [LIMIT-004] error 4 s, success 2 s, others 4 s', () => {
    expect([toastDuration('error'), toastDuration('success'), toastDuration('info')]).toEqual([
      4_000, 2_000, 4_000,
    ]);
  });
});
