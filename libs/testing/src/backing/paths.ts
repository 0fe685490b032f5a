import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the backing services of one state directory keep their things. */
export interface BackingPaths {
  stateDir: string;
  dataDir: string;
  log(name: string): string;
  record(name: string): string;
  /**
   * Returns a secret of this state directory, created (0600) on first use. By default 24 random bytes as
   * letters and digits, beginning with a letter, safe in a URL.
   */
  secret(name: string, make?: () => string): string;
}

/** Returns the folders of a state directory, creating missing ones. */
export function backingPaths(stateDirectory: string): BackingPaths {
  const stateDir = resolve(stateDirectory);
  const dataDir = join(stateDir, 'data');
  const secrets = join(stateDir, 'secrets');
  for (const dir of [stateDir, dataDir, join(stateDir, 'logs'), join(stateDir, 'run')])
    mkdirSync(dir, { recursive: true });
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  chmodSync(secrets, 0o700);
  return {
    stateDir,
    dataDir,
    log: (name) => join(stateDir, 'logs', `${name}.log`),
    record: (name) => join(stateDir, 'run', `${name}.json`),
    secret: (name, make = randomPassword) => readOrMakeSecret(join(secrets, name), make),
  };
}

function randomPassword(): string {
  return `k${randomBytes(24).toString('hex')}`;
}

function readOrMakeSecret(file: string, make: () => string): string {
  if (!existsSync(file)) {
    // Written to a draft and linked: a crash leaves no empty secret, and one of two processes wins.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${make()}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, 'utf8').trim();
}
