/** One pod from its start to its end: probes as its manifest has them, and the end that the kubelet gives it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container, Handler, PodSpec, Probe } from '@karaar/k8s/objects';
import type { Played } from '../objects/pod.ts';
import type { Podman } from './podman.ts';

export type RunningPod = {
  name: string;
  ip: string;
  template: PodSpec;
  /** Whether services send here. */
  isReady: () => boolean;
  /** Whether it has started and its probes were asked; headless services of members that find each other send here. */
  isUp: () => boolean;
  /** Settles when it was ready for the first time. @throws Error with its last output when it does not start */
  started: Promise<void>;
  /** How often it was started again because its liveness probe failed. */
  restarts: () => number;
  /** Asks its probes no more; whoever calls this ends its containers. */
  abandon: () => void;
  /** No connections from now on, preStop, SIGTERM, its grace, SIGKILL. */
  stop: () => Promise<void>;
};

/** @param left containers that are not played */
export async function startPod(
  played: Played,
  template: PodSpec,
  ip: string,
  podman: Podman,
  log: (line: string) => void,
  left: readonly string[] = [],
): Promise<RunningPod> {
  const { pod: name } = played;
  for (const before of played.before) await podman.playToEnd(before, ip);
  await podman.play(played.main, ip);
  const containers = template.containers.filter((container) => !left.includes(container.name));
  const ready = new Map(containers.map((container) => [container.name, false]));
  const isAllReady = () => [...ready.values()].every(Boolean);
  let restarts = 0;
  const ending = new AbortController();
  const isEnding = () => ending.signal.aborted;
  const wait = ({ periodSeconds = 10 }: Probe) =>
    sleep(periodSeconds * 1000, undefined, { signal: ending.signal }).catch(() => undefined);

  /** Whether a probe or a hook succeeds within its time, asked from this machine as the kubelet does from its node. */
  async function succeeds({ exec, httpGet }: Handler, container: Container, seconds = 1): Promise<boolean> {
    if (!exec && !httpGet) throw new Error(`${container.name} has a probe that the test does not know`);
    const url = httpGet && `http://${ip}:${portOf(container, httpGet.port)}${httpGet.path}`;
    try {
      if (exec) await podman.exec(name, container.name, exec.command, seconds * 1000);
      if (url === undefined) return true;
      const response = await fetch(url, { signal: AbortSignal.timeout(seconds * 1000), redirect: 'manual' });
      await response.arrayBuffer();
      return response.status >= 200 && response.status < 400;
    } catch {
      return false; // no answer is the answer
    }
  }

  /** Asks a probe until the pod ends or `seen` answers true; it has failed after as many misses in a row as it may have. */
  async function ask(
    probe: Probe | undefined,
    container: Container,
    seen: (ok: boolean, hasFailed: boolean) => boolean | Promise<boolean>,
  ): Promise<void> {
    if (!probe) return;
    for (let failures = 0; !isEnding(); await wait(probe)) {
      const ok = await succeeds(probe, container, probe.timeoutSeconds);
      failures = ok ? 0 : failures + 1;
      const hasFailed = failures >= (probe.failureThreshold ?? 3);
      if (await seen(ok, hasFailed)) return;
      if (hasFailed) failures = 0;
    }
  }

  async function watch(container: Container): Promise<void> {
    await ask(container.startupProbe, container, async (ok, hasFailed) => {
      if (!hasFailed) return ok;
      const output = await podman.logs(name, container.name);
      throw new Error(`${name}: ${container.name} does not start:\n${output.slice(-4000)}`);
    });
    const live = ask(container.livenessProbe, container, async (_, hasFailed) => {
      if (!hasFailed) return false;
      restarts += 1;
      log(`${name}: ${container.name} is started again, its liveness probe failed`);
      await podman.restart(name, container.name);
      return false;
    });
    if (!container.readinessProbe) ready.set(container.name, true);
    await ask(container.readinessProbe, container, (ok, hasFailed) => {
      if (ok) ready.set(container.name, true);
      else if (hasFailed && ready.get(container.name)) {
        ready.set(container.name, false);
        log(`${name}: ${container.name} is not ready`);
      }
      return false;
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
  started.catch(() => undefined); // for who waits for it
  watched.catch((error: unknown) => log(String(error)));
  return {
    name,
    ip,
    template,
    isReady: () => !isEnding() && isAllReady(),
    isUp: () => !isEnding(),
    started,
    restarts: () => restarts,
    abandon: () => ending.abort(),
    async stop() {
      ending.abort();
      const grace = template.terminationGracePeriodSeconds ?? 30;
      const begun = Date.now();
      await Promise.all(
        containers.map(
          (container) =>
            container.lifecycle?.preStop && succeeds(container.lifecycle.preStop, container, grace),
        ),
      );
      const rest = Math.max(2, grace - Math.round((Date.now() - begun) / 1000));
      await podman.remove(name, rest);
    },
  };
}

/** The number of a port that may be named. */
export function portOf({ name, ports }: Container, port: string | number): number {
  if (typeof port === 'number') return port;
  const found = ports?.find((one) => one.name === port)?.containerPort;
  if (found === undefined) throw new Error(`${name} has no port ${port}`);
  return found;
}
