/** `karaar doctor`: says in words what is wrong before a person meets it. Changes and sends nothing. */
import { UsageError, type Command, type Env } from '@karaar/bus/commands';
import type { Check, Finding } from './finding.ts';
import { checkMachine } from './machine.ts';
import { checkProviders } from './providers.ts';
import { checkSealKey } from './seal.ts';
import { checkSite } from './site.ts';
import { checkState } from './state.ts';

const CHECKS: readonly Check[] = [checkSite(), checkState, checkProviders, checkSealKey, checkMachine];
const LABELS = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' } as const;
const SECRET = /PASSWORD|SECRET|TOKEN|KEY|KEK|P12|PIN$|SID/;

/** Returns a line for each finding, without any secret of the environment. */
export function linesOf(findings: readonly Finding[], env: Env): string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length > 5 && SECRET.test(name) ? [value] : [],
  );
  return findings
    .map(({ what, state, text, remedy }) => `${LABELS[state]} ${what}: ${text}.${remedy ? ` ${remedy}` : ''}`)
    .map((line) => line.replaceAll(/\s*\n\s*/g, '; ').replaceAll(/\/\/[^/@\s]+@/g, '//'))
    .map((line) => secrets.reduce((said, secret) => said.replaceAll(secret, '…'), line))
    .join('\n');
}

/** @throws UsageError with all findings if one is a fault */
export const doctor: Command['run'] = async (_args, env) => {
  const findings = (await Promise.all(CHECKS.map((check) => check(env)))).flat();
  const lines = linesOf(findings, env);
  if (findings.some(({ state }) => state === 'fault')) throw new UsageError(lines);
  return lines;
};
