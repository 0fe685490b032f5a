/** Asks a container what its probes ask, from this machine as the kubelet does from its node. */
import type { ContainerSpec, Handler, ProbeSpec } from '../objects/pod.ts';

export type Asked = {
  ip: string;
  container: ContainerSpec;
  exec: (command: readonly string[], timeoutMs: number) => Promise<string>;
};

/** Whether a probe or a hook of a container succeeds within its time. */
export async function succeeds(
  probe: Handler & Pick<ProbeSpec, 'timeoutSeconds'>,
  asked: Asked,
): Promise<boolean> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  const { exec, httpGet } = probe;
  if (!exec && !httpGet)
    throw new Error(`${asked.container.name} has a probe that the rehearsal does not know`);
  const url = httpGet && `http://${asked.ip}:${portOf(asked.container, httpGet.port)}${httpGet.path}`;
  try {
    if (exec) await asked.exec(exec.command, timeoutMs);
    if (url === undefined) return true;
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    await response.arrayBuffer();
    return response.status >= 200 && response.status < 400;
  } catch {
    return false; // no answer is the answer
  }
}

/** The number of a port that may be named. */
export function portOf(container: Pick<ContainerSpec, 'name' | 'ports'>, port: string | number): number {
  if (typeof port === 'number') return port;
  const found = container.ports?.find(({ name }) => name === port)?.containerPort;
  if (found === undefined) throw new Error(`${container.name} has no port ${port}`);
  return found;
}
