import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();

let collecting = false;

/** Adds memory, event loop, GC and handle metrics of the process; idempotent. */
export function collectProcessMetrics(): void {
  if (collecting) return;
  collecting = true;
  collectDefaultMetrics({ register: registry });
}

type Spec<L extends string> = { name: string; help: string; labelNames?: readonly L[] };

function existing<M>(
  into: Registry,
  name: string,
  kind: abstract new (...args: never[]) => M,
): M | undefined {
  const metric: unknown = into.getSingleMetric(name);
  if (metric === undefined) return undefined;
  if (!(metric instanceof kind)) throw new Error(`Metric ${name} exists with another type`);
  return metric;
}

/** Returns the counter of that name, creating it if missing (so that two modules may share one). */
export function counter<L extends string = never>(spec: Spec<L>, into: Registry = registry): Counter<L> {
  return (
    existing<Counter<L>>(into, spec.name, Counter) ??
    new Counter({ ...spec, labelNames: spec.labelNames ?? [], registers: [into] })
  );
}

/** Returns the gauge of that name, creating it if missing. */
export function gauge<L extends string = never>(spec: Spec<L>, into: Registry = registry): Gauge<L> {
  return (
    existing<Gauge<L>>(into, spec.name, Gauge) ??
    new Gauge({ ...spec, labelNames: spec.labelNames ?? [], registers: [into] })
  );
}

/**
 * Returns the histogram of that name, creating it if missing. The buckets have the unit in the name's suffix.
 */
export function histogram<L extends string = never>(
  spec: Spec<L> & { buckets: readonly number[] },
  into: Registry = registry,
): Histogram<L> {
  return (
    existing<Histogram<L>>(into, spec.name, Histogram) ??
    new Histogram({
      ...spec,
      buckets: [...spec.buckets],
      labelNames: spec.labelNames ?? [],
      registers: [into],
    })
  );
}
