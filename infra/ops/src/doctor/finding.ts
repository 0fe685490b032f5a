import { types } from 'node:util';
import { ConfigError } from '@karaar/base/config';
import type { Env } from '@karaar/bus/commands';

/** The result of a check. A warning and a fault have a remedy. */
export type Finding = { what: string; state: 'ok' | 'warning' | 'fault'; text: string; remedy?: string };
export type Check = (env: Env) => Promise<Finding[]>;

export const ok = (what: string, text: string): Finding => ({ what, state: 'ok', text });
export const warning = (what: string, text: string, remedy: string): Finding => ({
  what,
  state: 'warning',
  text,
  remedy,
});
export const fault = (what: string, text: string, remedy: string): Finding => ({
  what,
  state: 'fault',
  text,
  remedy,
});

/** Returns why something failed. Errors of `fetch` and of several addresses hide the reason in others. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  // `instanceof` does not know errors of another realm, such as those of `fetch` in a test.
  if (!types.isNativeError(error)) return String(error);
  if (error.message === 'fetch failed') return reasonOf(error.cause);
  return error.message.replace(/\.$/, '');
}

/** Returns what `work` finds, or one fault if it throws. */
export async function tried(
  what: string,
  remedy: string,
  work: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    if (error instanceof ConfigError) {
      const names = error.faults.map(({ name, problem }) => `${name} ${problem}`).join(', ');
      return [fault(what, names, 'Set it as the services have it.')];
    }
    return [fault(what, reasonOf(error), remedy)];
  }
}

export const DAY_MS = 24 * 3600 * 1000;
export const daysUntil = (date: Date): number => Math.floor((date.getTime() - Date.now()) / DAY_MS);
