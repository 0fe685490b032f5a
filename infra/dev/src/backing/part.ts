import type { Child } from '../processes/child.ts';
import { freePort } from '../processes/ports.ts';

/** One running backing service. */
export interface BackingPart {
  readonly url: string;
  readonly pid: number;
  /** Sends a signal to it; fault tests use SIGKILL. */
  kill(signal: NodeJS.Signals): void;
  /** Stops it if it still runs, and starts it again on the same port with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What a backing service tells `runPart` about itself. */
export interface PartSpec {
  name: string;
  launch: (port: number) => Promise<Child>;
  /** Throws until the service answers on its port. */
  probe: (port: number) => Promise<void>;
  url: (port: number) => string;
}

const startAttempts = 3;
const readyTimeoutMs = 60_000;

/**
 * Starts a backing service on a free port and waits until it answers. Another program may take the
 * port between the choice and the start, so an early end is tried again on another one.
 *
 * @throws Error that names the service and how it ended
 */
export async function runPart(spec: PartSpec): Promise<BackingPart> {
  let fault: unknown;
  for (let attempt = 0; attempt < startAttempts; attempt += 1) {
    const port = await freePort();
    try {
      return part(spec, port, await launchReady(spec, port));
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

function part(spec: PartSpec, port: number, first: Child): BackingPart {
  let child = first;
  return {
    url: spec.url(port),
    get pid() {
      return child.pid;
    },
    kill: (signal) => child.kill(signal),
    restart: async () => {
      await child.stop();
      child = await launchReady(spec, port);
    },
    stop: () => child.stop(),
  };
}

async function launchReady(spec: PartSpec, port: number): Promise<Child> {
  const child = await spec.launch(port);
  const deadline = Date.now() + readyTimeoutMs;
  let fault: unknown;
  while (child.running() && Date.now() < deadline) {
    try {
      await spec.probe(port);
      return child;
    } catch (error) {
      fault = error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  const how = child.running() ? `did not answer in ${readyTimeoutMs / 1000} s` : await child.exited;
  await child.stop();
  throw new Error(`${spec.name} ${how} during start; its log says more`, { cause: fault });
}
