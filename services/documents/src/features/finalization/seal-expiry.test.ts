import { registry } from '@karaar/observability/telemetry';
import { daysLeft, endsSoon, watchSealExpiry } from './seal-expiry.ts';

const identity = (days: number) => ({
  signer: 'Karaar seal',
  certFingerprint: 'ab'.repeat(32),
  notAfter: new Date(Date.now() + days * 24 * 3600 * 1000 + 1000),
  chain: [],
  development: false,
});

describe('the expiry of the sealing certificate', () => {
  it('sets a metric, and warns in the last thirty days', async () => {
    const warned: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => void warned.push(line) };
    watchSealExpiry(identity(90), logger)();
    expect(warned).toHaveLength(0);
    const soon = identity(29);
    watchSealExpiry(soon, logger)();
    expect(JSON.stringify(warned)).toContain('"daysLeft":29');
    const metric = await registry.getSingleMetric('seal_certificate_expires_at_seconds')?.get();
    expect(metric?.values[0]?.value).toBe(soon.notAfter.getTime() / 1000);
  });

  it('is soon in the last thirty days and after the expiry', () => {
    expect([30, 29, 0, -1].map(endsSoon)).toEqual([false, true, true, true]);
  });

  it('is counted in whole days', () => {
    const at = new Date('2026-11-21T06:00:00Z');
    expect(daysLeft({ notAfter: new Date('2026-11-22T05:59:59Z') }, at)).toBe(0);
    expect(daysLeft({ notAfter: new Date('2026-11-20T06:00:00Z') }, at)).toBe(-1);
  });
});
