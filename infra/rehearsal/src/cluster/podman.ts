/** What the rehearsal asks podman for. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, searchPath } from '@karaar/testing/machine/run';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { stringify } from 'yaml';

export const NETWORK = 'karaar-rehearsal';
const SUBNET = '10.213.0.0/16';

export type Podman = {
  /** Makes a pod of a Pod object and starts it; settles when its containers are started. */
  play: (pod: Record<string, unknown>, ip: string) => Promise<void>;
  /** As `play`, and waits for the end of its only container. @throws Error with the end of its output when it fails */
  playToEnd: (pod: Record<string, unknown>, ip: string) => Promise<string>;
  exec: (pod: string, container: string, command: readonly string[], timeoutMs: number) => Promise<string>;
  /** SIGTERM, `graceSeconds` to end, then SIGKILL; its network stays until all have ended; then it is removed. */
  remove: (pod: string, graceSeconds: number) => Promise<void>;
  /** As the kubelet ends and starts a container whose liveness probe failed. */
  restart: (pod: string, container: string) => Promise<void>;
  /** What a container wrote. */
  logs: (pod: string, container: string) => Promise<string>;
  /** Removes whatever a rehearsal before left, and makes the network. */
  clean: () => Promise<void>;
};

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
export function podmanBy(env: NodeJS.ProcessEnv, folder: string, log: string): Podman {
  const podman = (args: readonly string[], timeoutMs?: number): Promise<string> =>
    run('podman', [...args], { env, log, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  /** What a container wrote to both of its streams, in its order. */
  const output = (container: string): Promise<string> =>
    run('sh', ['-c', 'podman logs "$1" 2>&1', 'sh', container], { env });
  const nameOf = (pod: Record<string, unknown>): string => (pod['metadata'] as { name: string }).name;
  const containerOf = (pod: Record<string, unknown>): string =>
    (pod['spec'] as { containers: { name: string }[] }).containers[0]?.name ?? '';

  async function play(pod: Record<string, unknown>, ip: string): Promise<void> {
    const file = join(folder, `${nameOf(pod)}.yaml`);
    writeFileSync(file, stringify(pod), { mode: 0o600 });
    await podman(['kube', 'play', '--network', NETWORK, '--ip', ip, file]);
  }
  return {
    play,
    async playToEnd(pod, ip) {
      await play(pod, ip);
      const container = `${nameOf(pod)}-${containerOf(pod)}`;
      const code = (await podman(['wait', container])).trim();
      const written = await output(container);
      await podman(['pod', 'rm', '--force', nameOf(pod)]);
      if (code !== '0') throw new Error(`${nameOf(pod)} ended with ${code}:\n${written.slice(-4000)}`);
      return written;
    },
    exec: (pod, container, command, timeoutMs) =>
      podman(['exec', `${pod}-${container}`, ...command], timeoutMs),
    async remove(pod, graceSeconds) {
      // `podman pod stop` ends the container that holds the network beside the others; a kubelet ends it after them.
      const names = await podman(['ps', '--filter', `pod=${pod}`, '--format', '{{.Names}}']);
      const own = names.split('\n').filter((name) => name.startsWith(`${pod}-`));
      if (own.length > 0) await podman(['stop', '--time', String(graceSeconds), ...own]);
      await podman(['pod', 'rm', '--force', pod]);
    },
    async restart(pod, container) {
      await podman(['restart', '--time', '30', `${pod}-${container}`]);
    },
    logs: (pod, container) => output(`${pod}-${container}`),
    async clean() {
      const pods = await podman(['pod', 'ps', '--quiet', '--filter', 'label=karaar-rehearsal']);
      for (const id of pods.split('\n').filter(Boolean))
        await podman(['pod', 'rm', '--force', '--time', '0', id]);
      const networks = await podman(['network', 'ls', '--quiet', '--filter', `name=^${NETWORK}$`]);
      if (networks.trim() !== '') await podman(['network', 'rm', '--force', NETWORK]);
      await podman(['network', 'create', '--disable-dns', '--subnet', SUBNET, NETWORK]);
    },
  };
}
