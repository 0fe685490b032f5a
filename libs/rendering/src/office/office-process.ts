/** One LibreOffice: started ahead in a folder of its own, given one file, and then gone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { officePipes, tellOffice } from './office-pipe.ts';
import { makeOfficeFolders, profileUrl } from './office-profile.ts';
import { isolated, killMarked, runBounded, withMemory, type BoundedRun } from '../processes/process.ts';

export interface OfficeProcess {
  /** Its folder; `in` and `out` are there for the file and its pages. */
  dir: string;
  /** True when its program has ended. */
  hasEnded: () => boolean;
  /**
   * Has it convert the file at `source` into the folder `out`; settles when its program has ended, as it does after one
   * file. Rejects when the program could not be started.
   */
  convert: (source: string, filter: string, signal: AbortSignal) => Promise<BoundedRun>;
  /** Kills it with all of its descendants, and removes what it wrote. */
  end: () => Promise<void>;
}

export interface OfficeProcessOptions {
  sofficePath: string;
  workDir: string;
  /** Address space of each of its processes, in bytes. */
  memory: number;
  /** Path of fontconfig's configuration. */
  fonts: string;
  /** Command that takes away network and leftovers; by default the strongest that the system allows. */
  isolation: readonly string[] | undefined;
}

/** Starts one with a fresh profile, without a file. */
export async function startOffice(options: OfficeProcessOptions): Promise<OfficeProcess> {
  const { sofficePath, workDir, memory, fonts, isolation = isolated() } = options;
  const dir = await mkdtemp(join(workDir, 'office-'));
  const pipes = officePipes(profileUrl(dir));
  await makeOfficeFolders(dir);
  const killer = new AbortController();
  let ended = false;
  const command = [
    ...isolation,
    ...withMemory(memory),
    sofficePath,
    `-env:UserInstallation=${profileUrl(dir)}`,
    ...['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nologo', '--nofirststartwizard'],
  ];
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: dir,
    TMPDIR: dir,
    LANG: 'C.UTF-8',
    FONTCONFIG_FILE: fonts,
  };
  const run = runBounded(command, { cwd: dir, env, signal: killer.signal }).finally(() => (ended = true));
  run.catch(() => undefined); // thrown on to whoever gives it a file
  return {
    dir,
    hasEnded: () => ended,
    async convert(source, filter, signal) {
      const onAbort = (): void => killer.abort();
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      const over = new AbortController(); // the telling, which would wait for a program that is gone
      const what = [`--infilter=${filter}`, '--convert-to', 'pdf:writer_pdf_Export'];
      const args = ['--headless', ...what, '--outdir', join(dir, 'out'), source];
      let fault: unknown;
      const told = tellOffice(pipes, args, { cwd: dir, signal: over.signal }).catch((cause: unknown) => {
        // What it broke off when it ended, or was made to end, is not its fault.
        if (over.signal.aborted || killer.signal.aborted) return;
        fault = cause;
        killer.abort();
      });
      try {
        const ended = await run;
        if (fault !== undefined) throw fault;
        return ended;
      } finally {
        over.abort();
        signal.removeEventListener('abort', onAbort);
        await told;
      }
    },
    async end() {
      killer.abort();
      await run.catch(() => undefined);
      await killMarked(`HOME=${dir}`);
      await Promise.all(pipes.map((pipe) => rm(pipe, { force: true })));
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}
