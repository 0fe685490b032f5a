/** One pod from its start to its end: runs the probes of its manifest and ends it as the kubelet does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container, Handler, PodSpec, Probe } from '@karaar/k8s/objects';
import type { Played } from '../objects/pod.ts';
import type { Podman } from './podman.ts';

export type RunningPod = Awaited<ReturnType<typeof startPod>>;

export async function startPod(
  { pod: name, before, main }: Played,
  template: PodSpec,
  ip: string,
  podman: Podman,
  log: (line: string) => void,
  left: readonly string[] = [],
) {
  for (const pod of before) await podman.playToEnd(pod, ip);
  await podman.play(main, ip);
  const containers = template.containers.filter((container) => !left.includes(container.name));
  const ready = new Map(containers.map((container) => [container.name, false]));
  const isAllReady = () => [...ready.values()].every(Boolean);
  let restarts = 0;
  const ending = new AbortController();
  const isEnding = () => ending.signal.aborted;
  const wait = ({ periodSeconds = 10 }: Probe) =>
    sleep(periodSeconds * 1000, undefined, { signal: ending.signal }).catch(() => undefined);

  /** Returns true if a probe or a hook succeeds within its time. */
  async function succeeds({ exec, httpGet }: Handler, container: Container, seconds = 1): Promise<boolean> {
    if (!exec && !httpGet) throw new Error(`${container.name} has a probe of an unknown kind`);
    try {
      if (exec) await podman.enter(main, container.name, exec.command, seconds * 1000);
      if (!httpGet) return true;
      const response = await fetch(`http://${ip}:${portOf(container, httpGet.port)}${httpGet.path}`, {
        signal: AbortSignal.timeout(seconds * 1000),
        redirect: 'manual',
      });
      await response.arrayBuffer();
      return response.status >= 200 && response.status < 400;
    } catch {
      return false; // no answer fails a probe
    }
  }

  /** Runs a probe until the pod ends or `seen` returns true; `hasFailed` follows the failure threshold. */
  async function ask(
    probe: Probe | undefined,
    container: Container,
    seen: (ok: boolean, hasFailed: boolean) => unknown,
  ): Promise<void> {
    if (!probe) return;
    for (let failures = 0; !isEnding(); await wait(probe)) {
      const ok = await succeeds(probe, container, probe.timeoutSeconds);
      failures = ok ? 0 : failures + 1;
      const hasFailed = failures >= (probe.failureThreshold ?? 3);
      if ((await seen(ok, hasFailed)) === true) return;
      if (hasFailed) failures = 0;
    }
  }

  async function watch(container: Container): Promise<void> {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const title = `${name}: ${container.name}`;
    await ask(startupProbe, container, async (ok, hasFailed) => {
      if (!hasFailed) return ok;
      const output = await podman.logs(name, container.name);
      throw new Error(`${title} does not start:\n${output.slice(-4000)}`);
    });
    const live = ask(livenessProbe, container, async (_, hasFailed) => {
      if (!hasFailed) return;
      restarts += 1;
      log(`${title} is restarted, its liveness probe failed`);
      await podman.restart(name, container.name);
    });
    if (!readinessProbe) ready.set(container.name, true);
    await ask(readinessProbe, container, (ok, hasFailed) => {
      if (hasFailed && ready.get(container.name)) log(`${title} is not ready`);
      if (ok || hasFailed) ready.set(container.name, ok);
    });
    await live;
  }

  const watched = Promise.all(containers.map(watch));
  const started = (async () => {
    for (;;) {
      await Promise.race([watched, sleep(250)]);
      if (isEnding()) throw new Error(`${name} was stopped before it was ready`);
      if (isAllReady()) return;
    }
  })();
  started.catch(() => undefined); // the caller may wait for it later
  watched.catch((error: unknown) => log(String(error)));
  return {
    name,
    ip,
    template,
    /** Returns true if services send connections to this pod. */
    isReady: () => !isEnding() && isAllReady(),
    /** Returns true until the pod ends; headless services also send to pods that are not ready. */
    isUp: () => !isEnding(),
    /** Settles when the pod is ready for the first time. @throws Error with its output if it does not start */
    started,
    restarts: () => restarts,
    /** Stops the probes; the caller removes the containers. */
    abandon: () => ending.abort(),
    /** Ends the pod: no new connections, preStop, SIGTERM, grace period, SIGKILL. */
    async stop(): Promise<void> {
      ending.abort();
      const grace = template.terminationGracePeriodSeconds ?? 30;
      const begun = Date.now();
      const hooks = containers.map(async (container) => {
        const hook = container.lifecycle?.preStop;
        if (hook) await succeeds(hook, container, grace);
      });
      await Promise.all(hooks);
      const rest = Math.max(2, grace - Math.round((Date.now() - begun) / 1000));
      await podman.remove(name, rest);
    },
  };
}

/** Returns the number of a port that may have a name. */
export function portOf({ name, ports }: Container, port: string | number): number {
  if (typeof port === 'number') return port;
  const found = ports?.find((one) => one.name === port)?.containerPort;
  if (found === undefined) throw new Error(`${name} has no port ${port}`);
  return found;
}
