/** The operator's pod (the CronJob `ops`), and commands given to it as `kubectl exec` gives them. */
import { run } from '@karaar/testing/machine/run';
import { startPod } from './cluster/running-pod.ts';
import type { Installation } from './installation.ts';
import { podOf } from './objects/pod.ts';

const CONTAINER = 'ops-ops';

export type Operator = {
  /** Runs a command of the tool. @returns what it wrote. @throws Error with its output when it fails */
  karaar: (
    args: readonly string[],
    options?: { input?: string; env?: Record<string, string> },
  ) => Promise<string>;
  /** Copies out of the pod, or with `into` to it, as `kubectl cp` does. */
  copy: (inPod: string, here: string, direction: 'out' | 'into') => Promise<void>;
};

/** Starts the pod for as long as `work` takes. */
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
      // The input reaches the command by the environment of a shell, not by a command line.
      const script = 'printf "%s\\n" "$TOLD" | "$@" 2>&1';
      return run('sh', ['-c', script, 'sh', ...command], { env: { ...env, ...given, TOLD: input } });
    },
    async copy(inPod, here, direction) {
      const there = `${CONTAINER}:${inPod}`;
      await run('podman', ['cp', ...(direction === 'out' ? [there, here] : [here, there])], { env });
    },
  });
  await pod.stop();
  return found;
}
