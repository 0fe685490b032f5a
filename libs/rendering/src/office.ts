import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createGate, deadline, asRenderError } from './deadline.ts';
import { RenderError } from './errors.ts';
import { writeFontFolder } from './fonts/font-folder.ts';
import { officeFilter } from './office-check.ts';
import { officePipe } from './office-pipe.ts';
import { isolated, killMarked, runBounded, withMemory } from './process.ts';
import type { RenderLimits } from './types.ts';

export interface OfficeConverter {
  /** Convert a DOC or DOCX file to PDF bytes. Throws `office_broken`, `office_timeout` or what the signal says. */
  convert(
    file: { name: string; path: string; kind: 'doc' | 'docx' },
    options: { signal: AbortSignal },
  ): Promise<Uint8Array>;
  /** Wait for running conversions (abort them first) and remove the fonts. */
  close(): Promise<void>;
}

/**
 * LibreOffice's settings for a profile of its own: macros never run, links are never updated, nothing is
 * fetched. Network is also off by namespace where the system allows it; this holds where it does not.
 */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${[
  ['org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisablePythonRuntime', 'true'],
  ['org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  ['org.openoffice.Office.Common/Misc', 'FirstRun', 'false'],
  ['org.openoffice.Inet/Settings', 'ooInetProxyType', '1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyPort', '9'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyPort', '9'],
]
  .map(
    ([path, name, value]) =>
      `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join('\n')}
</oor:items>
`;

/** Where an office that works in this folder keeps its settings, as it is told by `-env:UserInstallation`. */
const profileUrl = (dir: string): string => pathToFileURL(join(dir, 'profile')).href;

/** The longest name of a file, in bytes, that file systems take, less what LibreOffice adds to it. */
const NAME_BYTES = 200;

/**
 * The user's name for a file as a name on the disk: no separators, nothing invisible, not too long. It stands in a path
 * that begins with a folder of ours, so that it is never an option.
 */
function safeName(name: string, kind: 'doc' | 'docx'): string {
  const plain = name.replace(/[\p{C}/\\]/gu, '_').trim();
  let short = plain;
  while (Buffer.byteLength(short) > NAME_BYTES) short = [...short].slice(0, -1).join('');
  if (short === '' || /^\.+$/.test(short)) return `document.${kind}`;
  return short === plain ? short : `${short}.${kind}`;
}

/** LibreOffice, headless, one fresh profile per job, bounded in time, memory and reach. */
export function createOfficeConverter(options: {
  sofficePath: string;
  workDir: string;
  limits: Pick<RenderLimits, 'officeMs' | 'officeJobs' | 'officeMemory'>;
  /** Command that takes away network and leftovers; by default the strongest that the system allows. */
  isolation?: readonly string[];
}): OfficeConverter {
  const { sofficePath, workDir, limits } = options;
  const gate = createGate(limits.officeJobs);
  const running = new Set<Promise<unknown>>();
  let fonts: Promise<{ dir: string; config: string }> | undefined;

  return {
    convert(file, { signal: outer }) {
      const work = gate(async () => {
        await mkdir(workDir, { recursive: true });
        const dir = await mkdtemp(join(workDir, 'office-'));
        const limit = deadline(limits.officeMs, `Converting "${file.name}"`, outer);
        try {
          return await convertIn(dir, file, limit.signal, outer);
        } finally {
          limit.done();
          await killMarked(`HOME=${dir}`);
          await rm(officePipe(profileUrl(dir)), { force: true });
          await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
        }
      }, outer);
      running.add(work);
      return work.finally(() => running.delete(work));
    },
    async close() {
      await Promise.allSettled(running);
      const made = await fonts;
      if (made) await rm(made.dir, { recursive: true, force: true });
    },
  };

  async function convertIn(
    dir: string,
    file: { name: string; path: string; kind: 'doc' | 'docx' },
    signal: AbortSignal,
    outer: AbortSignal,
  ): Promise<Uint8Array> {
    fonts ??= writeFontFolder(workDir);
    const { config } = await fonts;
    // In folders of their own, under the name that the user gave it: a field of the text may print that name.
    const [input, output] = [join(dir, 'in'), join(dir, 'out')];
    const source = join(input, safeName(file.name, file.kind));
    const filter = officeFilter(file.kind, await readFile(file.path));
    const profile = join(dir, 'profile');
    await Promise.all(
      [input, output, join(profile, 'user')].map((folder) => mkdir(folder, { recursive: true })),
    );
    await Promise.all([
      copyFile(file.path, source),
      writeFile(join(profile, 'user', 'registrymodifications.xcu'), PROFILE),
    ]);
    const command = [
      ...(options.isolation ?? isolated()),
      ...withMemory(limits.officeMemory),
      sofficePath,
      `-env:UserInstallation=${profileUrl(dir)}`,
      ...['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nologo', '--nofirststartwizard'],
      ...[`--infilter=${filter}`, '--convert-to', 'pdf:writer_pdf_Export', '--outdir', output, source],
    ];
    const env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: dir,
      TMPDIR: dir,
      LANG: 'C.UTF-8',
      FONTCONFIG_FILE: config,
    };
    const run = await runBounded(command, { cwd: dir, env, signal }).catch((cause: unknown) => {
      throw new RenderError('engine_failed', 'The converter for Word files could not be started.', { cause });
    });
    if (outer.aborted) throw asRenderError(outer.reason);
    if (signal.aborted) {
      throw new RenderError(
        'office_timeout',
        `"${file.name}" took too long to convert. Please upload it as PDF.`,
        {
          file: file.name,
        },
      );
    }
    try {
      const [made = ''] = await readdir(output);
      return await readFile(join(output, made));
    } catch {
      throw new RenderError(
        'office_broken',
        `"${file.name}" cannot be opened as a Word file. Please upload it as PDF.`,
        {
          file: file.name,
          cause: new Error(`soffice ended with ${run.code}: ${run.output}`),
        },
      );
    }
  }
}
