import { ConfigError } from './load.ts';

export type ProductionRule<C> = {
  name: keyof C & string;
  /** Returns true if this value must not be used in production. */
  refuse: (value: C[keyof C & string], cfg: C) => boolean;
  /** The instruction, to be read after the name: "is the development key; set another one". */
  because: string;
};

/**
 * Refuses to start in production with a sandbox, a default key or a default password (design §2.9). Does
 * nothing elsewhere.
 * @throws ConfigError that lists every refused value by name, never by content
 */
export function refuseInProduction<C extends { NODE_ENV: string }>(
  cfg: C,
  rules: readonly ProductionRule<C>[],
): void {
  if (cfg.NODE_ENV !== 'production') return;
  const faults = rules
    .filter((rule) => rule.refuse(cfg[rule.name], cfg))
    .map((rule) => ({ name: rule.name, problem: `${rule.because} (refused in production)` }));
  if (faults.length > 0) throw new ConfigError(faults);
}

/** Returns a `refuse` that is true for known development values: `anyOf('sandbox', DEV_KEY)`. */
export const anyOf =
  (...known: readonly unknown[]) =>
  (value: unknown): boolean =>
    known.includes(value);
