import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, searchPath } from '@karaar/testing/machine/run';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import type { Pod } from '../objects/pod.ts';

const NETWORK = 'karaar-deployment';
const SUBNET = '10.213.0.0/16';
export const GATEWAY_OF_NETWORK = '10.213.0.1';

/** Without this machine's hosts; runc, as crun refuses the cgroups of some machines; limits that every machine allows. */
const CONFIGURATION = `[containers]
base_hosts_file = "none"
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
runtime = "runc"
`;

/** Returns the environment of podman, with settings that also work for root in a container. */
export function podmanEnv(): NodeJS.ProcessEnv {
  const home = join(stateRoot, 'podman');
  mkdirSync(home, { recursive: true });
  const file = join(home, 'containers.conf');
  writeFileSync(file, CONFIGURATION);
  return { ...process.env, PATH: searchPath(cloneRoot), CONTAINERS_CONF: file };
}

export type Podman = ReturnType<typeof podmanBy>;

export function podmanBy(env: NodeJS.ProcessEnv, folder: string, log: string) {
  const podman = (args: readonly string[], timeoutMs?: number): Promise<string> =>
    run('podman', [...args], { env, log, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const lines = async (args: readonly string[]): Promise<string[]> =>
    (await podman(args)).split('\n').filter(Boolean);
  /** Returns both output streams of a container, in order. */
  const output = (container: string): Promise<string> =>
    run('sh', ['-c', 'podman logs "$1" 2>&1', 'sh', container], { env });

  const pids = new Map<string, string>();

  async function play(pod: Pod, ip: string): Promise<void> {
    // podman reads YAML, which includes JSON.
    const file = join(folder, `${pod.metadata.name}.yaml`);
    writeFileSync(file, JSON.stringify(pod), { mode: 0o600 });
    await podman(['kube', 'play', '--network', NETWORK, '--ip', ip, file]);
  }
  return {
    play,
    /** Runs a pod until its only container ends. @throws Error with the end of its output if it fails */
    async playToEnd(pod: Pod, ip: string): Promise<void> {
      const { name } = pod.metadata;
      await play(pod, ip);
      const container = `${name}-${pod.spec.containers[0]?.name ?? ''}`;
      const code = (await podman(['wait', container])).trim();
      const written = await output(container);
      await podman(['pod', 'rm', '--force', name]);
      if (code !== '0') throw new Error(`${name} ended with ${code}:\n${written.slice(-4000)}`);
    },
    /** Runs a probe or hook in the namespaces of a container: `podman exec` would take half a second of a core. */
    async enter({ metadata, spec }: Pod, container: string, command: readonly string[], timeoutMs: number) {
      const name = `${metadata.name}-${container}`;
      const pid = pids.get(name) ?? (await podman(['inspect', '--format', '{{.State.Pid}}', name])).trim();
      pids.set(name, pid);
      const given = spec.containers.find((one) => one.name === container)?.env ?? [];
      const own = Object.fromEntries(given.map(({ name, value }) => [name, value]));
      const options = { env: { PATH: env['PATH'], ...own }, timeoutMs };
      await run('nsenter', ['--target', pid, '--all', ...command], options).catch((error: unknown) => {
        pids.delete(name); // the container may have been restarted
        throw error;
      });
    },
    /** Sends SIGTERM and, after the grace period, SIGKILL; then removes the pod. */
    async remove(pod: string, graceSeconds: number): Promise<void> {
      // `podman pod stop` would end the network container with the others; the kubelet ends it after them.
      const names = await lines(['ps', '--filter', `pod=${pod}`, '--format', '{{.Names}}']);
      const own = names.filter((name) => name.startsWith(`${pod}-`));
      const stop = () => podman(['stop', '--time', String(graceSeconds), ...own]);
      // podman refuses while it restarts a container that its preStop ended.
      if (own.length > 0) await stop().catch(stop);
      await podman(['pod', 'rm', '--force', pod]);
    },
    restart: (pod: string, container: string): Promise<string> =>
      podman(['restart', '--time', '30', `${pod}-${container}`]),
    logs: (pod: string, container: string): Promise<string> => output(`${pod}-${container}`),
    /** Removes the pods of an earlier run, and creates the network. */
    async clean(): Promise<void> {
      for (const id of await lines(['pod', 'ps', '--quiet', '--filter', 'label=karaar-deployment']))
        await podman(['pod', 'rm', '--force', '--time', '0', id]);
      for (const id of await lines(['network', 'ls', '--quiet', '--filter', `name=^${NETWORK}$`]))
        await podman(['network', 'rm', '--force', id]);
      await podman(['network', 'create', '--disable-dns', '--subnet', SUBNET, NETWORK]);
    },
  };
}

/** Gives pods addresses of the network, and services addresses of this machine. */
export function createAddresses() {
  let pods = 0;
  const given = new Map<string, string>();
  const services: string[] = [];
  const onLoopback = (verb: 'replace' | 'delete', address: string) =>
    run('ip', ['address', verb, `${address}/32`, 'dev', 'lo']);
  const forPod = (): string => {
    pods += 1;
    return `10.213.${1 + Math.floor(pods / 250)}.${1 + (pods % 250)}`;
  };
  return {
    forPod,
    /** Returns the address of a pod that keeps its name and address when it is replaced. */
    forNamed(name: string): string {
      const address = given.get(name) ?? forPod();
      given.set(name, address);
      return address;
    },
    async forService(): Promise<string> {
      const address = `10.214.0.${services.length + 1}`;
      services.push(address);
      await onLoopback('replace', address);
      return address;
    },
    async close(): Promise<void> {
      for (const address of services.splice(0)) await onLoopback('delete', address);
    },
  };
}
