/** The operator's pod (the CronJob `ops`), and commands given to it as `kubectl exec` gives them. */
import { run } from '@karaar/testing/machine/run';
import { startPod, type RunningPod } from './cluster/running-pod.ts';
import type { Installation } from './installation.ts';
import { podOf, templateOf } from './objects/pod.ts';

export type Operator = {
  /** Runs a command of the tool. @returns what it wrote. @throws Error with its output when it fails */
  karaar: (
    args: readonly string[],
    options?: { input?: string; env?: Record<string, string> },
  ) => Promise<string>;
  /** Copies out of the pod, or with `into` to it, as `kubectl cp` does. */
  copy: (inPod: string, here: string, direction: 'out' | 'into') => Promise<void>;
  stop: () => Promise<void>;
};

export async function startOperator(
  installation: Installation,
  say: (line: string) => void,
): Promise<Operator> {
  const { cluster, addresses, podman, env } = installation;
  const template = templateOf(cluster.workload('CronJob', 'ops').object);
  const played = podOf(template, 'ops', cluster.hosts, cluster.sources, { restart: 'Never' });
  const pod: RunningPod = await startPod(played, template, addresses.forPod(), podman, say);
  const container = 'ops-ops';
  return {
    karaar(args, { input, env: given = {} } = {}) {
      const variables = Object.keys(given).flatMap((name) => ['--env', name]);
      const command = ['podman', 'exec', '-i', ...variables, container, 'node', 'cli.js', ...args];
      // The input reaches the command by the environment of a shell, not by a command line.
      const script = 'printf "%s\\n" "$REHEARSAL_INPUT" | "$@" 2>&1';
      return run('sh', ['-c', script, 'sh', ...command], {
        env: { ...env, ...given, REHEARSAL_INPUT: input ?? '' },
      });
    },
    async copy(inPod, here, direction) {
      const there = `${container}:${inPod}`;
      await run('podman', ['cp', ...(direction === 'out' ? [there, here] : [here, there])], { env });
    },
    stop: () => pod.stop(),
  };
}
