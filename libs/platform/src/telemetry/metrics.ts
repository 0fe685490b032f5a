import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The process's metrics: one process is one service. */
export const registry = new Registry();

let collecting = false;

/** Adds memory, event loop, GC and handle metrics of the process; once, however often it is called. */
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

/** The counter of that name, made when it does not exist yet (so that two parts may share one). */
export function counter<L extends string = never>(spec: Spec<L>, into: Registry = registry): Counter<L> {
  return (
    existing<Counter<L>>(into, spec.name, Counter) ??
    new Counter({ ...spec, labelNames: spec.labelNames ?? [], registers: [into] })
  );
}

/** The gauge of that name, made when it does not exist yet. */
export function gauge<L extends string = never>(spec: Spec<L>, into: Registry = registry): Gauge<L> {
  return (
    existing<Gauge<L>>(into, spec.name, Gauge) ??
    new Gauge({ ...spec, labelNames: spec.labelNames ?? [], registers: [into] })
  );
}

/** The histogram of that name, made when it does not exist yet. Buckets in the unit that the name ends with. */
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
