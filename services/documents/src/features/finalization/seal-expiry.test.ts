import { registry } from '@karaar/observability/telemetry';
import { daysLeft, endsSoon, watchSealExpiry } from './seal-expiry.ts';

const identity = (days: number) => ({
  signer: 'Karaar seal',
  certFingerprint: 'ab'.repeat(32),
  notAfter: new Date(Date.now() + days * 24 * 3600 * 1000 + 1000),
  chain: [],
  ownAuthority: false,
});

describe('the expiry of the sealing certificate', () => {
  it('sets a metric, and is logged in the last sixty days, as an error in the last seven', async () => {
    const logged: unknown[] = [];
    const logger = {
      warn: ({ daysLeft }: { daysLeft: number }) => void logged.push(['warn', daysLeft]),
      error: ({ daysLeft }: { daysLeft: number }) => void logged.push(['error', daysLeft]),
    };
    for (const days of [90, 60, 59, 29, 7, 6]) watchSealExpiry(identity(days), logger)();
    expect(logged).toEqual([
      ['warn', 59],
      ['warn', 29],
      ['warn', 7],
      ['error', 6],
    ]);
    const metric = await registry.getSingleMetric('seal_certificate_expires_at_seconds')?.get();
    const inSixDays = Date.now() / 1000 + 6 * 24 * 3600;
    expect(Math.abs((metric?.values[0]?.value ?? 0) - inSixDays)).toBeLessThan(60);
  });

  it('is soon in the last sixty days and after the expiry', () => {
    expect([60, 59, 0, -1].map(endsSoon)).toEqual([false, true, true, true]);
  });

  it('is counted in whole days', () => {
    const at = new Date('2026-11-21T06:00:00Z');
    expect(daysLeft({ notAfter: new Date('2026-11-22T05:59:59Z') }, at)).toBe(0);
    expect(daysLeft({ notAfter: new Date('2026-11-20T06:00:00Z') }, at)).toBe(-1);
  });
});
