/** One pod from its start to its end: probes as its manifest has them, and the end that the kubelet gives it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerSpec, Played, ProbeSpec, TemplateSpec } from '../objects/pod.ts';
import type { Podman } from './podman.ts';
import { succeeds, type Asked } from './probes.ts';

export type RunningPod = {
  name: string;
  ip: string;
  template: TemplateSpec;
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
  template: TemplateSpec,
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
  let state: 'up' | 'ending' = 'up';
  let restarts = 0;
  const ending = new AbortController();
  const asked = (container: ContainerSpec): Asked => ({
    ip,
    container,
    exec: (command, timeoutMs) => podman.exec(name, container.name, command, timeoutMs),
  });
  const wait = (probe: ProbeSpec) =>
    sleep((probe.periodSeconds ?? 10) * 1000, undefined, { signal: ending.signal }).catch(() => undefined);
  const isEnding = () => state === 'ending';
  const abandon = (): void => {
    state = 'ending';
    ending.abort();
  };

  async function watch(container: ContainerSpec): Promise<void> {
    const { startupProbe, readinessProbe, livenessProbe } = container;
    if (startupProbe) await start(container, startupProbe);
    const live = livenessProbe ? watchLife(container, livenessProbe) : Promise.resolve();
    if (!readinessProbe) ready.set(container.name, true);
    for (let failures = 0; readinessProbe && !isEnding(); await wait(readinessProbe)) {
      const ok = await succeeds(readinessProbe, asked(container));
      failures = ok ? 0 : failures + 1;
      if (ok && ready.get(container.name) === false) ready.set(container.name, true);
      else if (failures >= (readinessProbe.failureThreshold ?? 3) && ready.get(container.name) === true) {
        ready.set(container.name, false);
        log(`${name}: ${container.name} is not ready`);
      }
    }
    await live;
  }

  async function start(container: ContainerSpec, probe: ProbeSpec): Promise<void> {
    for (let left = probe.failureThreshold ?? 3; !isEnding(); left -= 1) {
      if (await succeeds(probe, asked(container))) return;
      if (left <= 1) {
        const output = await podman.logs(name, container.name);
        throw new Error(`${name}: ${container.name} does not start:\n${output.slice(-4000)}`);
      }
      await wait(probe);
    }
  }

  async function watchLife(container: ContainerSpec, probe: ProbeSpec): Promise<void> {
    for (let failures = 0; !isEnding(); await wait(probe)) {
      failures = (await succeeds(probe, asked(container))) ? 0 : failures + 1;
      if (failures < (probe.failureThreshold ?? 3)) continue;
      failures = 0;
      restarts += 1;
      log(`${name}: ${container.name} is started again, its liveness probe failed`);
      await podman.restart(name, container.name);
    }
  }

  const watched = Promise.all(containers.map(watch));
  const started = (async () => {
    for (;;) {
      await Promise.race([watched, sleep(250)]);
      if (isEnding()) throw new Error(`${name} was stopped before it was ready`);
      if ([...ready.values()].every(Boolean)) return;
    }
  })();
  started.catch(() => undefined); // for who waits for it
  watched.catch((error: unknown) => log(String(error)));
  return {
    name,
    ip,
    template,
    isReady: () => !isEnding() && [...ready.values()].every(Boolean),
    isUp: () => !isEnding(),
    started,
    restarts: () => restarts,
    abandon,
    async stop() {
      abandon();
      const hooks = containers.flatMap((container) =>
        container.lifecycle?.preStop ? [{ container, hook: container.lifecycle.preStop }] : [],
      );
      const grace = template.terminationGracePeriodSeconds ?? 30;
      const begun = Date.now();
      await Promise.all(
        hooks.map(({ container, hook }) => succeeds({ ...hook, timeoutSeconds: grace }, asked(container))),
      );
      const rest = Math.max(2, grace - Math.round((Date.now() - begun) / 1000));
      await podman.remove(name, rest);
    },
  };
}
