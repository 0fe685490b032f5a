/**
 * Development listens on loopback. Its sandbox shows everybody's codes, and its accounts have known names and passwords: whoever
 * reaches it is whoever they want to be.
 */
import { EXPOSED, isLoopback } from '@karaar/contracts/exposure';
import { ConfigError } from './load.ts';

export type ExposedRule<C> = {
  /** The variable by which the process is one of development. */
  name: keyof C & string;
  when: (value: C[keyof C & string], cfg: C) => boolean;
  /** What others could do then, read after the name. */
  because: string;
};

/**
 * Refuses to listen beyond loopback with what is meant for development, unless `EXPOSED_DEVELOPMENT` names the risk.
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
