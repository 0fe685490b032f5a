import { parseArgs } from 'node:util';
import { UsageError } from '@karaar/bus/commands';

/** Returns the only option of a command. @throws UsageError if it is missing or empty */
export function optionOf(args: string[], name: string, usage: string): string {
  const value = parseArgs({ args, options: { [name]: { type: 'string' } } }).values[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(usage);
  return value;
}
