/** Where the objects of an overlay run: containers of podman, or a cluster that `kubectl` reaches. */
import { run } from '@karaar/testing/machine/run';
import {
  ofKind,
  workloads,
  type KubeObject,
  type PodSpec,
  type Values,
  type Workload,
} from '@karaar/k8s/objects';

export type ClusterOptions = {
  env: NodeJS.ProcessEnv;
  folder: string;
  /** Returns the name under which the cluster has an image, or undefined if it does not have it. */
  imageOf: (image: string) => string | undefined;
  log: (line: string) => void;
};

/** A server outside the manifests. */
export type Server = {
  name: string;
  /** The name by which pods connect to it. */
  host?: string;
  template: PodSpec;
  /** The files at /config. */
  files: Values;
  /** The names of its volumes that outlive a restart. */
  claims?: readonly string[];
};

/** The operator's pod (the CronJob `ops`). */
export type OperatorPod = {
  /** Runs a command. @returns its output @throws Error with its output if it fails */
  exec: (command: readonly string[], input: string) => Promise<string>;
  copy: (inPod: string, here: string, direction: 'out' | 'into') => Promise<void>;
  stop: () => Promise<void>;
};

export type PodState = { name: string; isReady: boolean; restarts: number };

export type Cluster = {
  /** The address from which servers see the connections of this machine. */
  callerAddress: string;
  /** Returns the address at which this machine reaches a server's own ports. */
  addressOf: (server: string) => string;
  /** Sets the wanted objects and secrets; no pod changes yet. */
  want: (objects: readonly KubeObject[], secrets: ReadonlyMap<string, Values>) => Promise<void>;
  rollSets: (names: readonly string[]) => Promise<void>;
  /** Stops the pods of a set, as if their nodes were lost; `rollSets` starts them again. */
  stopSet: (name: string) => Promise<void>;
  rollDeployment: (workload: Workload) => Promise<void>;
  /** Runs the Jobs that have not run yet; the name of a Job contains the release. @returns their names */
  runJobs: () => Promise<string[]>;
  pods: (kind: 'Deployment' | 'StatefulSet', name: string) => Promise<readonly PodState[]>;
  /** Starts a server and waits until it is ready. */
  startServer: (server: Server) => Promise<void>;
  /** Replaces files at /config of a server and runs the command that reloads them. */
  renewFiles: (server: string, files: Values, reload: readonly string[]) => Promise<void>;
  startOperator: () => Promise<OperatorPod>;
  /** Deletes all pods, volumes and servers. */
  deleteEverything: () => Promise<void>;
  close: () => Promise<void>;
};

/** @throws Error if the objects do not contain the workload */
export function workloadOf(objects: readonly KubeObject[], kind: string, name: string): Workload {
  const found = workloads(objects).find((one) => one.kind === kind && one.name === name);
  if (!found) throw new Error(`The ${kind} ${name} was not found`);
  return found;
}

/** Returns everything that a pod of this template depends on: its pods are replaced when it changes. */
export function dependenciesOf(
  template: PodSpec,
  objects: readonly KubeObject[],
  secrets: ReadonlyMap<string, Values>,
): string {
  const named = JSON.stringify(template);
  const values = [...secrets].filter(([name]) => named.includes(`"${name}"`));
  const maps = ofKind(objects, 'ConfigMap').filter(({ metadata }) => named.includes(`"${metadata.name}"`));
  return JSON.stringify([template, values, maps.map(({ data }) => data)]);
}

/** Runs a command with a text on its standard input. @returns both output streams @throws Error with them */
export const runWithInput = (command: readonly string[], input: string, env: NodeJS.ProcessEnv) =>
  // An environment variable, because other processes can read a command line.
  run('sh', ['-c', 'printf "%s\\n" "$INPUT" | "$@" 2>&1', 'sh', ...command], {
    env: { ...env, INPUT: input },
  });
