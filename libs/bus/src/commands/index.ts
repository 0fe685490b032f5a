import { connectBus, type Bus } from '../bus/index.ts';
import { backingEnv, ConfigError, loadConfig } from '@karaar/base/config';
import { AppError } from '@karaar/base/errors';
import { createLogger } from '@karaar/observability/logging';
import { Type } from 'typebox';

/** Wrong arguments on the command line, or an error that the operator can correct. */
export class UsageError extends Error {}

export type Env = Readonly<Record<string, string | undefined>>;
export type Command = { usage: string; run: (args: string[], env: Env) => Promise<string> };
export type Commands = Readonly<Record<string, Command>>;

/**
 * Runs the command that the arguments name and prints its output; exits with 1 and a message for errors that
 * the operator can correct.
 * @param expected further error classes of that kind
 * @throws internal errors
 */
export async function runCommand(
  commands: Commands,
  [name = '', ...args]: readonly string[],
  env: Env,
  expected: readonly (new (...args: never[]) => Error)[] = [],
): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (!command) {
      const lines = Object.entries(commands).map(([known, { usage }]) => `  ${known.padEnd(18)} ${usage}`);
      throw new UsageError(`Usage: npm run karaar -- <command>\n${lines.join('\n')}`);
    }
    process.stdout.write(`${await command.run(args, env)}\n`);
  } catch (error) {
    const isForOperator = [UsageError, ConfigError, AppError, ...expected].some(
      (kind) => error instanceof kind,
    );
    if (!isForOperator || !(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/**
 * Connects to the broker as the operator's tool for the duration of `work`. @throws ConfigError without
 * NATS_URL, and UsageError if the broker is away
 */
export async function withBroker<T>(env: Env, work: (bus: Bus) => Promise<T>): Promise<T> {
  const { NATS_URL } = loadConfig(Type.Object({ NATS_URL: backingEnv.NATS_URL }), env);
  const logger = createLogger({ name: 'ops', level: 'silent' });
  const bus = await connectBus({ url: NATS_URL, name: 'ops', logger, waits: false }).catch(
    (cause: unknown) => {
      throw new UsageError(
        `The broker does not answer: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    },
  );
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}
