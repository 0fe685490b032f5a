/** Scans uploaded files for malware if a ClamAV daemon is configured (`CLAMD_ADDRESS`). */
import { Type } from 'typebox';
import { unavailable, unprocessable, type AppError } from '@karaar/base/errors';
import type { Logger } from '@karaar/observability/logging';
import { counter } from '@karaar/observability/telemetry';
import { scanByClamd, type ClamdAddress } from './clamd.ts';

export const scanEnv = {
  /** `tcp://host:3310` or `unix:/run/clamav/clamd.ctl`; without it files are not scanned. */
  CLAMD_ADDRESS: Type.Optional(
    Type.String({
      pattern: '^(tcp://[^/:]+:\\d{1,5}|unix:/.+)$',
      errorMessage: 'must be tcp://host:port or unix:/path',
    }),
  ),
  /** Timeout for one file in milliseconds. */
  CLAMD_TIMEOUT_MS: Type.Integer({ minimum: 100, maximum: 120_000, default: 20_000 }),
};
export type ScanConfig = { CLAMD_ADDRESS?: string | undefined; CLAMD_TIMEOUT_MS: number };

export type ScannedFile = { field: string; filename: string; path: string; size: number; sha256: string };
/**
 * Scans the files of a form before the handler gets them. @throws AppError 422 `file_infected`, 503
 * `scan_unavailable`
 */
export type FileScanner = (files: readonly ScannedFile[]) => Promise<void>;

const scanned = counter({
  name: 'uploads_scanned_total',
  help: 'Uploaded files by what the scanner found: clean, infected, failed',
  labelNames: ['outcome'],
});

/**
 * Returns the configured scanner, or undefined. A file that cannot be scanned is rejected like an infected
 * one, so that an outage of the scanner does not let malware in.
 */
export function createFileScanner(
  config: ScanConfig,
  logger: Pick<Logger, 'warn' | 'error'>,
): FileScanner | undefined {
  if (config.CLAMD_ADDRESS === undefined) return undefined;
  const address = addressOf(config.CLAMD_ADDRESS);
  return async (files) => {
    for (const file of files) {
      const signature = await scanByClamd(address, file.path, config.CLAMD_TIMEOUT_MS).catch(
        (err: unknown) => {
          scanned.inc({ outcome: 'failed' });
          logger.error({ err, sha256: file.sha256 }, 'a file could not be scanned and was refused');
          throw scanUnavailable(err);
        },
      );
      scanned.inc({ outcome: signature === null ? 'clean' : 'infected' });
      if (signature === null) continue;
      logger.warn({ signature, sha256: file.sha256, size: file.size }, 'an uploaded file is infected');
      throw infected(file);
    }
  };
}

function addressOf(text: string): ClamdAddress {
  if (text.startsWith('unix:')) return { path: text.slice('unix:'.length) };
  const url = new URL(text);
  return { host: url.hostname, port: Number(url.port) };
}

const infected = ({ field, filename }: ScannedFile): AppError =>
  unprocessable('file_infected', [
    { loc: field, msg: `'${filename}' contains harmful software and was not taken.`, file: filename },
  ]);

const scanUnavailable = (cause: unknown): AppError =>
  unavailable('scan_unavailable', 'Files cannot be checked right now. Please try again later.', cause);
