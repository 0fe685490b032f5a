import type { Gauge } from 'prom-client';
import { gauge } from './metrics.ts';

/** Lets a gauge be set whenever it is asked for. @param set gives it its value, or one for each of its labels */
export function setOnScrape<L extends string>(metric: Gauge<L>, set: () => void): void {
  Object.assign(metric, { collect: set });
}

/**
 * A gauge that is computed when the metrics are read. While that fails (the database is away), the
 * gauge has no value, so that an alert on absence fires and none on an old figure.
 *
 * @param read values by label value; one without labels under the key ''
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
