import type { RenderLimits } from './types.ts';

const MB = 1024 * 1024;

/** Limits for a small server (2 cores, 2 GB); tests and operators override single ones. */
export const DEFAULT_LIMITS: RenderLimits = {
  jobMs: 180_000,
  browserLaunchMs: 30_000,
  printMs: 30_000,
  browserPages: 3,
  browserJobs: 200,
  officeMs: 60_000,
  officeJobs: 1,
  officeMemory: 3072 * MB,
  uploadJobs: 3,
  uploadsWaiting: 40,
  pdfMs: 60_000,
  popplerMs: 15_000,
  pdfiumMs: 15_000,
  pdfMemory: 512 * MB,
  pdfJobs: 100,
  pdfIdleMemory: 192 * MB,
  imagePixels: 100_000_000,
  pages: 2_000,
  fileBytes: 100 * MB,
};

/** The longest side of a thumbnail in pixels: sharp in lists on a phone. */
export const THUMBNAIL_SIDE = 480;
