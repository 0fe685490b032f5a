import type { Gauge } from 'prom-client';
import { gauge } from './metrics.ts';

/** Calls `set` at each scrape. @param set sets the gauge's value, or one for each label */
export function setOnScrape<L extends string>(metric: Gauge<L>, set: () => void): void {
  Object.assign(metric, { collect: set });
}

/**
 * Creates a gauge that is computed at each scrape. While that fails (the database is away) the gauge has no
 * value, so that an alert on absence fires instead of showing an old value.
 *
 * @param read returns values by label value; a value without labels under the key ''
 */
export function gaugeOnScrape(
  spec: { name: string; help: string; label?: string },
  read: () => Promise<Readonly<Record<string, number>>>,
): void {
  const metric = gauge<string>({
    name: spec.name,
    help: spec.help,
    labelNames: spec.label === undefined ? [] : [spec.label],
  });
  Object.assign(metric, {
    collect: async () => {
      metric.reset();
      try {
        for (const [key, value] of Object.entries(await read()))
          metric.set(spec.label === undefined ? {} : { [spec.label]: key }, value);
      } catch {
        metric.remove();
      }
    },
  });
}
