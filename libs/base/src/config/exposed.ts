/**
 * Development processes listen on loopback only: the sandbox shows all login codes and the demo accounts have
 * known passwords, so anyone who can reach it can log in as anyone.
 */
import { EXPOSED, isLoopback } from '@karaar/contracts/exposure';
import { ConfigError } from './load.ts';

export type ExposedRule<C> = {
  name: keyof C & string;
  when: (value: C[keyof C & string], cfg: C) => boolean;
  /** The consequence, to be read after the name. */
  because: string;
};

/**
 * Refuses to listen beyond loopback in development, unless `EXPOSED_DEVELOPMENT` names the risk.
 * @throws ConfigError that lists every reason
 */
export function refuseExposed<C extends { HOST: string; EXPOSED_DEVELOPMENT?: string | undefined }>(
  cfg: C,
  rules: readonly ExposedRule<C>[],
): void {
  if (isLoopback(cfg.HOST) || cfg.EXPOSED_DEVELOPMENT === EXPOSED) return;
  const faults = rules
    .filter((rule) => rule.when(cfg[rule.name], cfg))
    .map((rule) => ({
      name: rule.name,
      problem: `${rule.because} (refused while HOST is not loopback; EXPOSED_DEVELOPMENT=${EXPOSED} takes the risk)`,
    }));
  if (faults.length > 0) throw new ConfigError(faults);
}
