/** Removes orphaned blobs: a process that is killed between storing a file and its row leaves one. */
import { Type, type Static, type TObject } from 'typebox';
import type { Logger } from '@karaar/observability/logging';
import { counter, gauge } from '@karaar/observability/telemetry';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { BlobStore } from './store.ts';
import type { NamedPaths } from './unnamed.ts';

export const janitorEnv = {
  /** `report` counts the orphans and removes nothing. */
  BLOB_JANITOR: Type.Union([Type.Literal('off'), Type.Literal('report'), Type.Literal('remove')], {
    default: 'remove',
  }),
  /** Minimum age in hours. A week leaves time to notice that the database was restored wrongly. */
  BLOB_JANITOR_AGE_H: Type.Integer({ minimum: 1, default: 168 }),
};
export type JanitorEnv = Static<TObject<typeof janitorEnv>>;

const EVERY_MS = 6 * 3_600_000;
const AT_ONCE = 1_000;
/** Crashes cannot orphan a larger share; the database is then the wrong one or has lost its newest rows. */
const MOST_SHARE = 0.1;
const FEW = 100;

const found = gauge({ name: 'blobs_unnamed', help: 'Old blobs that no row names, when last counted' });
const removed = counter({ name: 'blobs_unnamed_removed_total', help: 'Blobs removed that no row named' });

type Options = {
  blobs: Pick<BlobStore, 'list' | 'delete'>;
  named: NamedPaths;
  logger: Logger;
  removes: boolean;
  olderThanMs: number;
};

/**
 * Scans all blobs once and removes the orphans, unless configured to report only or the orphans are too many
 * to come from crashes.
 *
 * @returns the paths of the old orphans
 */
export async function tidyBlobs(options: Options): Promise<string[]> {
  const { blobs, named, logger, removes, olderThanMs } = options;
  const before = Date.now() - olderThanMs;
  const unnamed: string[] = [];
  let batch: string[] = [];
  let seen = 0;
  const ask = async (): Promise<void> => {
    const kept = new Set(await named(batch));
    unnamed.push(...batch.filter((path) => !kept.has(path)));
    batch = [];
  };
  for await (const { path, storedAt } of blobs.list()) {
    if (storedAt.getTime() > before) continue;
    seen += 1;
    if (batch.push(path) === AT_ONCE) await ask();
  }
  if (batch.length > 0) await ask();
  found.set(unnamed.length);
  if (unnamed.length > 0)
    logger.warn({ unnamed: unnamed.length, old: seen, removes }, 'files that no row names');
  if (!removes) return unnamed;
  if (unnamed.length > Math.max(FEW, seen * MOST_SHARE)) {
    logger.error({ unnamed: unnamed.length, old: seen }, 'too many files that no row names: none is removed');
    return unnamed;
  }
  for (const path of unnamed) {
    await blobs.delete(path);
    removed.inc();
  }
  found.set(0);
  return unnamed;
}

/** Starts the periodic scan; the first one runs after a pause. */
export function startJanitor(
  parts: Pick<Options, 'blobs' | 'named' | 'logger'>,
  { BLOB_JANITOR, BLOB_JANITOR_AGE_H }: JanitorEnv,
): Worker | undefined {
  if (BLOB_JANITOR === 'off') return undefined;
  const removes = BLOB_JANITOR === 'remove';
  return startWorker({
    restMs: EVERY_MS,
    restsFirst: true,
    turn: async () => {
      await tidyBlobs({ ...parts, removes, olderThanMs: BLOB_JANITOR_AGE_H * 3_600_000 });
    },
    onError: (err) => parts.logger.warn({ err }, 'files that no row names cannot be looked for'),
  });
}
