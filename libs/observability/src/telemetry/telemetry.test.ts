import { Registry } from 'prom-client';
import { counter, currentTraceparent, gauge, histogram, inSpan, withTraceparent } from './index.ts';

const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('trace context', () => {
  it('is available in all awaited work, and nowhere else', async () => {
    expect(currentTraceparent()).toBeUndefined();
    await withTraceparent(PARENT, async () => {
      await pause();
      expect(currentTraceparent()).toBe(PARENT);
      await Promise.all([
        withTraceparent(PARENT.replaceAll('a', 'c'), async () => {
          await pause();
          expect(currentTraceparent()).toContain('c'.repeat(32));
        }),
        pause().then(() => expect(currentTraceparent()).toBe(PARENT)),
      ]);
    });
    expect(currentTraceparent()).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  ])('begins a new trace for %p', (given) => {
    const first = withTraceparent(given, currentTraceparent);
    const second = withTraceparent(given, currentTraceparent);
    expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(second).not.toBe(first);
  });

  it('keeps the trace in a span, and rethrows its error', async () => {
    await withTraceparent(PARENT, async () => {
      await inSpan('work', {}, async () => expect(currentTraceparent()).toContain('a'.repeat(32)));
      await expect(inSpan('work', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    });
  });
});

describe('metrics', () => {
  it('returns the same metric for the same name', async () => {
    const into = new Registry();
    const spec = { name: 'parked_total', help: 'Parked rows', labelNames: ['service'] as const };
    counter(spec, into).inc({ service: 'a' });
    counter(spec, into).inc({ service: 'a' });
    expect(await into.getSingleMetricAsString('parked_total')).toContain('parked_total{service="a"} 2');
  });

  it('rejects one name for two types', () => {
    const into = new Registry();
    gauge({ name: 'x', help: 'x' }, into);
    expect(() => counter({ name: 'x', help: 'x' }, into)).toThrow('another type');
    expect(() => histogram({ name: 'x', help: 'x', buckets: [1] }, into)).toThrow('another type');
  });
});
