/** Addresses of pods and of services, and the names by which pods know them. */
import { run } from '@karaar/testing/machine/run';

/** Pods get addresses of the network, services some of this machine's own beside it. */
export function createAddresses() {
  let pods = 0;
  let services = 0;
  const given = new Map<string, string>();
  const added: string[] = [];
  return {
    /** A new address for a pod. */
    forPod(): string {
      pods += 1;
      return `10.213.${1 + Math.floor(pods / 250)}.${1 + (pods % 250)}`;
    },
    /** The address of a pod that keeps its name, the same for each of its lives. */
    forNamed(name: string): string {
      const address = given.get(name) ?? this.forPod();
      given.set(name, address);
      return address;
    },
    /** A new address of this machine for a service. */
    async forService(): Promise<string> {
      services += 1;
      const address = `10.214.0.${services}`;
      await run('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']);
      added.push(address);
      return address;
    },
    async close(): Promise<void> {
      for (const address of added.splice(0))
        await run('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo']);
    },
  };
}

export type Addresses = ReturnType<typeof createAddresses>;
