import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConcurrencyLimit, deadline, asRenderError } from '../processes/deadline.ts';
import { RenderError } from '../errors.ts';
import { writeFontFolder } from '../fonts/font-folder.ts';
import { officeFilter } from './office-check.ts';
import { asSeen } from './office-fields.ts';
import { startOffice, type OfficeProcess } from './office-process.ts';
import { safeName } from './office-profile.ts';
import type { BoundedRun } from '../processes/process.ts';
import type { RenderLimits } from '../types.ts';

type OfficeFile = { name: string; path: string; kind: 'doc' | 'docx' };

export interface OfficeConverter {
  /**
   * Converts a DOC or DOCX file to PDF bytes.
   * @throws RenderError `office_broken`, `office_timeout` or the reason of the signal
   */
  convert(file: OfficeFile, options: { signal: AbortSignal }): Promise<Uint8Array>;
  /** Waits for running conversions (abort them first), ends the spare process and removes the fonts. */
  close(): Promise<void>;
}

/**
 * Returns a converter that runs one headless LibreOffice per file, with a fresh profile and limits of time,
 * memory and network. `spare` starts one before a file arrives.
 */
export function createOfficeConverter(options: {
  sofficePath: string;
  workDir: string;
  limits: Pick<RenderLimits, 'officeMs' | 'officeJobs' | 'officeMemory'>;
  /** Keep one process started for the next file; the default is false. */
  spare?: boolean;
  /**
   * The command that isolates the program from the network and kills its descendants; by default the
   * strongest that the system allows.
   */
  isolation?: readonly string[];
}): OfficeConverter {
  const { sofficePath, workDir, limits } = options;
  const limited = createConcurrencyLimit(limits.officeJobs);
  const running = new Set<Promise<unknown>>();
  let fonts: Promise<{ dir: string; config: string }> | undefined;
  let spare: Promise<OfficeProcess> | undefined;
  let closed = false;

  async function start(): Promise<OfficeProcess> {
    fonts ??= mkdir(workDir, { recursive: true }).then(() => writeFontFolder(workDir));
    const { config } = await fonts;
    const { isolation } = options;
    return startOffice({ sofficePath, workDir, memory: limits.officeMemory, fonts: config, isolation });
  }

  /** Started after a conversion: on two cores a start during it would slow it down. */
  function prepareSpare(): void {
    if (options.spare !== true || closed || spare) return;
    spare = start();
    spare.catch(() => (spare = undefined)); // the next file starts its own process, and reports the fault
  }

  async function take(): Promise<OfficeProcess> {
    const ahead = await spare;
    spare = undefined;
    if (ahead && !ahead.hasEnded()) return ahead;
    await ahead?.end();
    return start();
  }

  prepareSpare();
  return {
    convert(file, { signal: outer }) {
      const work = limited(async () => {
        const limit = deadline(limits.officeMs, `Converting "${file.name}"`, outer);
        const office = await take();
        try {
          return await convertBy(office, file, limit.signal, outer);
        } finally {
          limit.done();
          await office.end();
          prepareSpare();
        }
      }, outer);
      running.add(work);
      return work.finally(() => running.delete(work));
    },
    async close() {
      closed = true;
      await Promise.allSettled(running);
      const [ahead, made] = [await spare?.catch(() => undefined), await fonts?.catch(() => undefined)];
      await ahead?.end();
      if (made) await rm(made.dir, { recursive: true, force: true });
    },
  };
}

async function convertBy(
  office: OfficeProcess,
  file: OfficeFile,
  signal: AbortSignal,
  outer: AbortSignal,
): Promise<Uint8Array> {
  // Under the user's name for the file: a field of the text may print it.
  const source = join(office.dir, 'in', safeName(file.name, file.kind));
  const bytes = await readFile(file.path);
  const filter = officeFilter(file.kind, bytes);
  await writeFile(source, asSeen(file.kind, bytes));
  const run = await office.convert(source, filter, signal).catch((cause: unknown) => {
    throw new RenderError('engine_failed', 'The converter for Word files could not be started.', { cause });
  });
  if (outer.aborted) throw asRenderError(outer.reason);
  if (signal.aborted) {
    const why = `"${file.name}" took too long to convert. Please upload it as PDF.`;
    throw new RenderError('office_timeout', why, { file: file.name });
  }
  return madeBy(office, file, run);
}

async function madeBy(office: OfficeProcess, file: OfficeFile, run: BoundedRun): Promise<Uint8Array> {
  const output = join(office.dir, 'out');
  try {
    const [made = ''] = await readdir(output);
    return await readFile(join(output, made));
  } catch {
    const why = `"${file.name}" cannot be opened as a Word file. Please upload it as PDF.`;
    const cause = new Error(`soffice ended with ${run.code}: ${run.output}`);
    throw new RenderError('office_broken', why, { file: file.name, cause });
  }
}
