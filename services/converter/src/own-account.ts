/**
 * An account of the converter's own where it is started as root, as on a developer's machine in a container. In an image
 * the account is the image's.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The same as in the image (infra/docker/Dockerfile); no account of a system has it. */
export const CONVERTER_ID = 10_002;

/** Whether nobody else runs under the account, and why not where that is so. */
export type Account = { own: true } | { own: false; because: string };

/**
 * Leaves root for good, and with it every file and process of others: the process cannot be traced by those of the new
 * account either, because it changed its account and ran no program since (`PR_SET_DUMPABLE` of prctl(2)). Stays root where
 * the new account could not read the code or the programs.
 *
 * @param folder made, and given to the new account alone
 * @param programs paths that it must be able to run
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
