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
   * A secret of this state directory, made at first use and kept (0600) since. By default 24 random
   * bytes as letters and digits that begin with a letter, fit for a URL.
   */
  secret(name: string, make?: () => string): string;
}

/** Creates the folders of a state directory that are missing. */
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
    // Written aside and linked into place: a crash leaves no empty secret, and of two processes one wins.
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
