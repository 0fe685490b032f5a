/** Commands of the operator's tool, as `kubectl exec` runs them in its pod (the CronJob `ops`). */
import type { OperatorPod } from './cluster/cluster.ts';
import type { Installation } from './installation.ts';

export type Operator = Pick<OperatorPod, 'copy'> & {
  /** Runs a command of the operator's tool. @returns its output @throws Error with its output if it fails */
  karaar: (
    args: readonly string[],
    options?: { input?: string; env?: Record<string, string> },
  ) => Promise<string>;
};

export async function asOperator<T>(
  { cluster }: Installation,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const { exec, copy, stop } = await cluster.startOperator();
  const found = await work({
    karaar(args, { input = '', env = {} } = {}) {
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      return exec(['env', ...variables, 'node', 'cli.js', ...args], input);
    },
    copy,
  });
  await stop();
  return found;
}
