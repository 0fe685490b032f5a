import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Same id as in the image (infra/docker/Dockerfile); no system account uses it. */
export const CONVERTER_ID = 10_002;

/** `own` is true if no other process runs under the converter's account. */
export type Account = { own: true } | { own: false; because: string };

/**
 * Switches from root to the converter's own account for good. Other processes of that account cannot trace this
 * one either: the kernel makes a process undumpable (prctl(2), `PR_SET_DUMPABLE`) when it changes its user, until
 * it executes another program, which this one does not. Stays root if the account cannot read the code or run
 * the programs.
 *
 * @param folder created, and given to the new account only
 * @param programs paths that the account must be able to run
 */
export function takeOwnAccount(folder: string, programs: readonly string[]): Account {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  const { getuid, setgroups, setgid, setuid } = process;
  if (getuid === undefined || !setgroups || !setgid || !setuid)
    return { own: false, because: 'this system has no accounts as Linux has them' };
  if (getuid() !== 0) {
    return getuid() === CONVERTER_ID
      ? { own: true }
      : { own: false, because: `it was started under the account ${getuid()}, and may not change that` };
  }
  chownSync(folder, CONVERTER_ID, CONVERTER_ID);
  const code = fileURLToPath(import.meta.url);
  const look = `const fs = require('node:fs');
fs.accessSync(${JSON.stringify(code)}, fs.constants.R_OK);
fs.accessSync(${JSON.stringify(folder)}, fs.constants.W_OK);
for (const path of ${JSON.stringify(programs)}) fs.accessSync(path, fs.constants.X_OK);`;
  const able = spawnSync(process.execPath, ['-e', look], {
    ...{ uid: CONVERTER_ID, gid: CONVERTER_ID, cwd: '/', env: {} },
    ...{ stdio: 'ignore', timeout: 10_000 },
  });
  if (able.status !== 0)
    return { own: false, because: 'another account cannot read the code, the programs or the work folder' };
  setgroups([]);
  setgid(CONVERTER_ID);
  setuid(CONVERTER_ID);
  return { own: true };
}
