/** The operator's pod (the CronJob `ops`), and commands in it, as `kubectl exec` runs them. */
import { run } from '@karaar/testing/machine/run';
import { startPod } from './cluster/running-pod.ts';
import type { Installation } from './installation.ts';
import { podOf } from './objects/pod.ts';

const CONTAINER = 'ops-ops';

export type Operator = {
  /** Runs a command of the operator's tool. @returns its output @throws Error with its output if it fails */
  karaar: (
    args: readonly string[],
    options?: { input?: string; env?: Record<string, string> },
  ) => Promise<string>;
  /** Copies a file out of the pod or into it, as `kubectl cp` does. */
  copy: (inPod: string, here: string, direction: 'out' | 'into') => Promise<void>;
};

export async function asOperator<T>(
  { cluster, addresses, podman, env, say }: Installation,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const { pod: template } = cluster.workload('CronJob', 'ops');
  const played = podOf(template, 'ops', cluster.hosts, cluster.sources, { restart: 'Never' });
  const pod = await startPod(played, template, addresses.forPod(), podman, say);
  const found = await work({
    karaar(args, { input = '', env: given = {} } = {}) {
      const variables = Object.keys(given).flatMap((name) => ['--env', name]);
      const command = ['podman', 'exec', '-i', ...variables, CONTAINER, 'node', 'cli.js', ...args];
      // An environment variable, because other processes can read a command line.
      const script = 'printf "%s\\n" "$INPUT" | "$@" 2>&1';
      return run('sh', ['-c', script, 'sh', ...command], { env: { ...env, ...given, INPUT: input } });
    },
    async copy(inPod, here, direction) {
      const there = `${CONTAINER}:${inPod}`;
      await run('podman', ['cp', ...(direction === 'out' ? [there, here] : [here, there])], { env });
    },
  });
  await pod.stop();
  return found;
}
