/** The file store of the run: it refuses some writes, and is compared with the rows that name files. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tidyBlobs } from '@karaar/storage/blobs';
import { createDb } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import type { Database as AuthDatabase } from '@karaar/service-auth/db/schema';
import { namedIdImages } from '@karaar/service-auth/features/accounts/accounts.repository';
import type { Database as DocumentsDatabase } from '@karaar/service-documents/db/schema';
import { namedPaths } from '@karaar/service-documents/features/stored-files/stored-files.repository';
import type { Database as MessagingDatabase } from '@karaar/service-messaging/db/schema';
import { namedAttachments } from '@karaar/service-messaging/features/conversations/conversations.repository';
import type { S3Stub } from '@karaar/testing/providers/s3-stub';
import type { Databases } from '../../lib/product.ts';
import { column } from '../../lib/rows.ts';

/** Every column with file paths, listed here independently of the services to find one that they forget. */
const NAMED = {
  auth: `SELECT govt_id_image AS path FROM users`,
  documents: `SELECT final_path AS path FROM documents
    UNION ALL SELECT path FROM attachments
    UNION ALL SELECT unnest(ARRAY[path, preview_path, thumb_path, text_path]) FROM raw_files
    UNION ALL SELECT unnest(ARRAY[path, preview_path, thumb_path, text_path]) FROM uploads
    UNION ALL SELECT unnest(ARRAY[profile_pic, eye, sign, thumb]) FROM verifications
    UNION ALL SELECT path FROM orphaned_images`,
  messaging: `SELECT attachment ->> 'path' AS path FROM messages`,
} as const;

export type FilesFound = {
  named: number;
  /** Rows that name a missing file. */
  missing: string[];
  /** Files that no row names, and that the janitor would not delete. */
  forgotten: string[];
};

export async function compareFiles(store: S3Stub, urls: Databases): Promise<FilesFound> {
  const found: FilesFound = { named: 0, missing: [], forgotten: [] };
  for (const service of ['auth', 'documents', 'messaging'] as const) {
    const folder = `${service}/objects/`;
    const paths = await column(urls[service], 'path', `(${NAMED[service]}) AS named WHERE path IS NOT NULL`);
    const named = new Set(paths);
    const keys = [...store.objects.keys()].filter((key) => key.startsWith(folder));
    const stored = new Set(keys.map((key) => key.slice(folder.length)));
    const listed = new Set(await listedByJanitor(service, stored, urls[service]));
    const ofService = (path: string) => `${service}: ${path}`;
    found.named += named.size;
    found.missing.push(...[...named].filter((path) => !stored.has(path)).map(ofService));
    const forgotten = [...stored].filter((path) => !named.has(path) && !listed.has(path));
    found.forgotten.push(...forgotten.map(ofService));
  }
  return found;
}

/** Returns the files that the service's own janitor would list if they were old enough. */
async function listedByJanitor(
  service: keyof typeof NAMED,
  stored: ReadonlySet<string>,
  url: string,
): Promise<string[]> {
  type All = AuthDatabase & DocumentsDatabase & MessagingDatabase;
  const db = createDb<All>({ url, max: 1, applicationName: 'cuts' });
  const namedIn = { auth: namedIdImages, documents: namedPaths, messaging: namedAttachments }[service];
  const named = (paths: readonly string[]) => namedIn(db, paths);
  const list = async function* () {
    for (const path of stored) yield { path, storedAt: new Date(0) };
  };
  const blobs = { list, delete: () => Promise.reject(new Error('Nothing may be deleted here')) };
  const logger = createLogger({ name: 'cuts', level: 'silent' });
  try {
    return await tidyBlobs({ blobs, named, logger, removes: false, olderThanMs: 0 });
  } finally {
    await db.destroy();
  }
}

/** Returns a function that refuses the next write of a file and its repetitions; false without a write within `ms`. */
export function refusals(store: S3Stub): (ms: number) => Promise<boolean> {
  const waiting = new Set<() => void>();
  const refused = new Set<string>();
  store.fail = (request) => {
    const [, key] = /^(?:PUT|POST) (\S+\/objects\/[^?\s]+)/.exec(request) ?? [];
    if (key === undefined) return undefined;
    if (!refused.has(key)) {
      const [next] = waiting;
      if (next === undefined) return undefined;
      waiting.delete(next);
      refused.add(key);
      next();
    }
    return 503;
  };
  return async (ms) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const happen = () => resolve(true);
    waiting.add(happen);
    const happened = await Promise.race([promise, sleep(ms, false)]);
    waiting.delete(happen);
    return happened;
  };
}
