import { UsageError } from '@karaar/bus/commands';

/**
 * Returns a line of `compose.env` in Compose's syntax (docs.docker.com/compose/env-file), where a quoted value is
 * literal except for `\'`.
 * @throws UsageError for a value that Compose would read as another one
 */
export function composeLine(name: string, value: string): string {
  if (/\n|\\('|$)/.test(value))
    throw new UsageError(
      `${name} cannot be in compose.env: it has a line break, or a backslash before a quotation mark or at its end.`,
    );
  return `${name}='${value.replaceAll("'", String.raw`\'`)}'`;
}
