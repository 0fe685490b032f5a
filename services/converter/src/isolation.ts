import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { ConfigError } from '@karaar/base/config';
import type { Logger } from '@karaar/observability/logging';
import { gauge } from '@karaar/observability/telemetry';
import type { Isolation } from '@karaar/rendering/renderer';
import type { Config } from './config.ts';
import { environmentOf, secretsIn } from '@karaar/converting/environment';
import type { Account } from './own-account.ts';

const KINDS = ['processes_and_network', 'network', 'none'] as const satisfies readonly Isolation[];

const isolation = gauge({
  name: 'karaar_converter_isolation',
  help: '1 for what the programs that read uploads are kept from: processes_and_network, network, none',
  labelNames: ['kind'],
});
const ownAccount = gauge({
  name: 'karaar_converter_own_account',
  help: '1 when nothing but the converter runs under its account',
});

/** How long the check waits for the cluster's API, which must not be reachable. */
const REACH_MS = 1_000;

/** Reports the isolation in the log and as metrics. */
export function reportIsolation(kind: Isolation, account: Account, logger: Logger): void {
  for (const each of KINDS) isolation.set({ kind: each }, each === kind ? 1 : 0);
  ownAccount.set(account.own ? 1 : 0);
  const facts = { isolation: kind, account };
  if (kind === 'processes_and_network' && account.own) logger.info(facts, 'walled off');
  else logger.warn(facts, 'walled off in part: what a file takes over can do more than it should');
}

/**
 * In production, requires isolation for the programs that read uploads: namespaces, or a deployment that
 * declares isolation, which is tested. Without process namespaces, no process whose environment this account
 * can read may have a secret.
 *
 * @throws ConfigError
 */
export async function requireIsolation(
  { NODE_ENV, CONVERTER_ISOLATION }: Pick<Config, 'NODE_ENV' | 'CONVERTER_ISOLATION'>,
  { kind, account }: { kind: Isolation; account: Account },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (NODE_ENV !== 'production') return;
  const refuse = (problem: string): never => {
    throw new ConfigError([{ name: 'CONVERTER_ISOLATION', problem: `${problem} (refused in production)` }]);
  };
  if (process.getuid?.() === 0) refuse('cannot make up for an account that is root');
  if (kind === 'processes_and_network') return;
  if (await seesSecrets()) refuse('cannot make up for an account under which another process has secrets');
  if (kind === 'network' && account.own) return;
  if (CONVERTER_ISOLATION !== 'deployment')
    refuse('is not "deployment", and the system refuses the converter namespaces of its own');
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (kind === 'none' && host !== undefined && port !== undefined && (await isReached(host, Number(port))))
    refuse('is "deployment", but the cluster is reached from here: its NetworkPolicy is not in force');
}

/** Debian's Chromium sets these variables itself, so the environment of the converter's programs can contain them. */
const OF_CHROMIUM = /^GOOGLE_(API_KEY|DEFAULT_CLIENT_(ID|SECRET))$/;

/** Returns true if this account, and so each program it starts, can read a secret in the environment of a process. */
async function seesSecrets(): Promise<boolean> {
  const names = await readdir('/proc').catch(() => []); // not Linux
  const environments = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      // The process belongs to another account or has ended.
      .map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
  );
  return environments.some((text) => secretsIn(environmentOf(text)).some((name) => !OF_CHROMIUM.test(name)));
}

function isReached(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: REACH_MS });
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
