/** One LibreOffice: started before a file arrives, in a temporary folder, and ended after one file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { officePipes, sendToOffice } from './office-pipe.ts';
import { makeOfficeFolders, profileUrl } from './office-profile.ts';
import { isolated, killMarked, runBounded, withMemory, type BoundedRun } from '../processes/process.ts';

export interface OfficeProcess {
  /** Its folder; `in` takes the file and `out` gets the pages. */
  dir: string;
  hasEnded: () => boolean;
  /**
   * Converts the file at `source` into the folder `out`; settles when the program has ended. Rejects if the
   * program could not be started.
   */
  convert: (source: string, filter: string, signal: AbortSignal) => Promise<BoundedRun>;
  end: () => Promise<void>;
}

export interface OfficeProcessOptions {
  sofficePath: string;
  workDir: string;
  /** The address space of each process, in bytes. */
  memory: number;
  fonts: string;
  /**
   * The command that isolates the program from the network and kills its descendants; by default the
   * strongest that the system allows.
   */
  isolation: readonly string[] | undefined;
}

/** Starts LibreOffice with a fresh profile, without a file. */
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
  run.catch(() => undefined); // `convert` rethrows it
  return {
    dir,
    hasEnded: () => ended,
    async convert(source, filter, signal) {
      const onAbort = (): void => killer.abort();
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      const over = new AbortController(); // stop sending: the program has ended
      const conversion = [`--infilter=${filter}`, '--convert-to', 'pdf:writer_pdf_Export'];
      const args = ['--headless', ...conversion, '--outdir', join(dir, 'out'), source];
      let fault: unknown;
      const sending = sendToOffice(pipes, args, { cwd: dir, signal: over.signal }).catch((cause: unknown) => {
        // The connection broke because the program ended or was stopped.
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
        await sending;
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
