/** Addresses: pods get those of the network, services some of this machine's own beside it. */
import { run } from '@karaar/testing/machine/run';

export function createAddresses() {
  let pods = 0;
  const given = new Map<string, string>();
  const services: string[] = [];
  /** A new address for a pod. */
  const forPod = (): string => {
    pods += 1;
    return `10.213.${1 + Math.floor(pods / 250)}.${1 + (pods % 250)}`;
  };
  return {
    forPod,
    /** The address of a pod that keeps its name, the same for each of its lives. */
    forNamed(name: string): string {
      const address = given.get(name) ?? forPod();
      given.set(name, address);
      return address;
    },
    /** A new address of this machine for a service. */
    async forService(): Promise<string> {
      const address = `10.214.0.${services.length + 1}`;
      services.push(address);
      await run('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']);
      return address;
    },
    async close(): Promise<void> {
      for (const address of services.splice(0))
        await run('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo']);
    },
  };
}

export type Addresses = ReturnType<typeof createAddresses>;
