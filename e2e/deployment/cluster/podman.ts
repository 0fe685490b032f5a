/** What the deployment test asks podman for. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, searchPath } from '@karaar/testing/machine/run';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import type { Pod } from '../objects/pod.ts';

const NETWORK = 'karaar-deployment';
const SUBNET = '10.213.0.0/16';
/** The address of this machine in the network. */
export const GATEWAY_OF_NETWORK = '10.213.0.1';

export type Podman = ReturnType<typeof podmanBy>;

/** crun refuses some machines' cgroups, and limits above the machine's own are refused: lower ones are named. */
const CONFIGURATION = `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
runtime = "runc"
`;

/** The environment of podman: settings that work as root in a container as well. */
export function podmanEnv(): NodeJS.ProcessEnv {
  const home = join(stateRoot, 'podman');
  mkdirSync(home, { recursive: true });
  const file = join(home, 'containers.conf');
  writeFileSync(file, CONFIGURATION);
  return { ...process.env, PATH: searchPath(cloneRoot), CONTAINERS_CONF: file };
}

/** @param folder for the files that are played */
export function podmanBy(env: NodeJS.ProcessEnv, folder: string, log: string) {
  const podman = (args: readonly string[], timeoutMs?: number): Promise<string> =>
    run('podman', [...args], { env, log, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const lines = async (args: readonly string[]): Promise<string[]> =>
    (await podman(args)).split('\n').filter(Boolean);
  /** What a container wrote to both of its streams, in its order. */
  const output = (container: string): Promise<string> =>
    run('sh', ['-c', 'podman logs "$1" 2>&1', 'sh', container], { env });

  /** Makes a pod and starts it; settles when its containers are started. */
  async function play(pod: Pod, ip: string): Promise<void> {
    const file = join(folder, `${pod.metadata.name}.yaml`);
    // JSON is YAML, too.
    writeFileSync(file, JSON.stringify(pod), { mode: 0o600 });
    await podman(['kube', 'play', '--network', NETWORK, '--ip', ip, file]);
  }
  return {
    play,
    /** As `play`, and waits for the end of its only container. @throws Error with the end of its output when it fails */
    async playToEnd(pod: Pod, ip: string): Promise<string> {
      const { name } = pod.metadata;
      await play(pod, ip);
      const container = `${name}-${pod.spec.containers[0]?.name ?? ''}`;
      const code = (await podman(['wait', container])).trim();
      const written = await output(container);
      await podman(['pod', 'rm', '--force', name]);
      if (code !== '0') throw new Error(`${name} ended with ${code}:\n${written.slice(-4000)}`);
      return written;
    },
    exec: (pod: string, container: string, command: readonly string[], timeoutMs: number): Promise<string> =>
      podman(['exec', `${pod}-${container}`, ...command], timeoutMs),
    /** SIGTERM, `graceSeconds` to end, then SIGKILL; its network stays until all have ended; then it is removed. */
    async remove(pod: string, graceSeconds: number): Promise<void> {
      // `podman pod stop` ends the container that holds the network beside the others; a kubelet ends it after them.
      const names = await lines(['ps', '--filter', `pod=${pod}`, '--format', '{{.Names}}']);
      const own = names.filter((name) => name.startsWith(`${pod}-`));
      if (own.length > 0) await podman(['stop', '--time', String(graceSeconds), ...own]);
      await podman(['pod', 'rm', '--force', pod]);
    },
    /** As the kubelet ends and starts a container whose liveness probe failed. */
    async restart(pod: string, container: string): Promise<void> {
      await podman(['restart', '--time', '30', `${pod}-${container}`]);
    },
    /** What a container wrote. */
    logs: (pod: string, container: string): Promise<string> => output(`${pod}-${container}`),
    /** Removes what an earlier run left, and makes the network. */
    async clean(): Promise<void> {
      for (const id of await lines(['pod', 'ps', '--quiet', '--filter', 'label=karaar-deployment']))
        await podman(['pod', 'rm', '--force', '--time', '0', id]);
      for (const id of await lines(['network', 'ls', '--quiet', '--filter', `name=^${NETWORK}$`]))
        await podman(['network', 'rm', '--force', id]);
      await podman(['network', 'create', '--disable-dns', '--subnet', SUBNET, NETWORK]);
    },
  };
}
