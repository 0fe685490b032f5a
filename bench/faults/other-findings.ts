import { createHash } from 'node:crypto';
import type { Payer } from '../lib/people.ts';
import type { Databases } from '../lib/product.ts';
import { column } from '../lib/rows.ts';
import { Findings } from './findings.ts';
import type { Outcomes } from './outcomes.ts';

/**
 * Compares messages, users, documents, files and pages.
 *
 * @param owner the owner of the sealed documents, who reads their files
 */
export async function checkOthers(
  url: string,
  owner: Payer,
  urls: Databases,
  outcomes: Outcomes,
): Promise<Findings> {
  const found = new Findings();
  await checkMessages(urls, outcomes, found);
  await checkPeople(url, urls, outcomes, found);
  await checkDocuments(urls, outcomes, found);
  await checkLog(urls, found);
  await checkFiles(url, owner, urls, outcomes, found);
  await checkPages(urls, outcomes, found);
  return found;
}

async function checkMessages(
  { messaging }: Databases,
  { messages }: Outcomes,
  found: Findings,
): Promise<void> {
  found.once(
    'message',
    [...messages].map(
      ([content, { id, from, to, withFile }]) => `${id} ${from} ${to} ${withFile ? 't' : 'f'} ${content}`,
    ),
    await column(
      messaging,
      `SELECT concat_ws(' ', id, sender_id, receiver_id, attachment IS NOT NULL, content) AS it FROM messages`,
    ),
  );
  found.once('message', [], await column(messaging, 'SELECT content AS it FROM messages'));
  const gaps = await column(
    messaging,
    `SELECT 'conversation ' || conversation_id || ': ' || count(*) || ' messages up to ' || max(m.seq) || ' of ' || c.last_seq AS it
     FROM messages m JOIN conversations c ON c.id = m.conversation_id
     GROUP BY conversation_id, c.last_seq
     HAVING count(*) <> max(m.seq) OR max(m.seq) <> c.last_seq OR count(DISTINCT m.seq) <> count(*)`,
  );
  found.wrong.push(...gaps);
}

/** Compares the users with auth's and with each service's directory, and uses every token. */
async function checkPeople(
  url: string,
  urls: Databases,
  { people, tokens }: Outcomes,
  found: Findings,
): Promise<void> {
  const registered = [...people].map(([id, name]) => `${id} ${name}`);
  found.once('user', registered, await column(urls.auth, `SELECT id || ' ' || name AS it FROM users`));
  const users = await column(urls.auth, `SELECT concat_ws(' ', id, char_id, name) AS it FROM users`);
  const known = `SELECT concat_ws(' ', user_id, char_id, name) AS it FROM directory`;
  for (const service of ['documents', 'messaging', 'payments'] as const)
    found.once(`user in the directory of ${service}`, users, await column(urls[service], known));
  for (const authorization of tokens) {
    const answer = await fetch(`${url}/api/users/profile`, { headers: { authorization } });
    await answer.arrayBuffer();
    if (answer.status !== 200) found.lost.push(`a session: its token is answered ${answer.status}`);
  }
}

const STEPS = ['document.created', 'party.accepted', 'document.approved', 'document.finalized'];

/** Compares agreements with their steps, drafts with their file, and withdrawals. */
async function checkDocuments(
  { documents }: Databases,
  { created, sealed, drafts, left }: Outcomes,
  found: Findings,
): Promise<void> {
  const read = (sql: string) => column(documents, sql);
  const agreements = `d.name LIKE 'Agreement %' OR d.name LIKE 'Left %'`;
  found.once(
    'document',
    created.values(),
    await read(`SELECT d.id AS it FROM documents d WHERE ${agreements}`),
  );
  found.once('document', [], await read(`SELECT d.name AS it FROM documents d WHERE ${agreements}`));
  found.once(
    'step',
    [...sealed].flatMap((id) => STEPS.map((step) => `${id} ${step}`)),
    await read(
      `SELECT d.id || ' ' || e.type AS it FROM document_events e JOIN documents d ON d.id = e.document_id
       WHERE (${agreements}) AND e.type IN (${STEPS.map((step) => `'${step}'`).join(', ')})`,
    ),
  );
  found.once(
    'sealed document with two parties',
    sealed,
    await read(
      `SELECT d.id AS it FROM documents d WHERE d.status = 'finalized' AND 'primary approved' =
         (SELECT string_agg(state, ' ' ORDER BY position) FROM parties WHERE document_id = d.id)`,
    ),
  );
  found.once(
    'draft',
    [...drafts].map(([id, name]) => `${id} ${name}`),
    await read(
      `SELECT d.id || ' ' || d.name AS it FROM documents d WHERE d.status = 'draft'
         AND (SELECT count(*) FROM raw_files WHERE document_id = d.id) = 1`,
    ),
  );
  const names = `SELECT replace(name, ' changed', '') AS it FROM documents WHERE name LIKE 'Draft %'`;
  found.once('draft', [], await read(names));
  const withdrawn = `SELECT document_id AS it FROM document_events WHERE type = 'party.withdrawn'`;
  found.once('withdrawal', left, await read(withdrawn));
  const approved = new Set(await read(`SELECT document_id AS it FROM parties WHERE state = 'approved'`));
  for (const id of left) if (approved.has(id)) found.wrong.push(`${id} still has the party that left`);
}

/** Every finalized document has an entry of its own in the log, and the newest checkpoint is cosigned. */
async function checkLog({ documents }: Databases, found: Findings): Promise<void> {
  const faults = await column(
    documents,
    `SELECT 'documents without their entry: ' || string_agg(d.document_code, ' ') AS it
     FROM documents d LEFT JOIN log_commitments c ON c.document_id = d.id
     WHERE d.status = 'finalized' AND c.entry_index IS NULL HAVING count(*) > 0
     UNION ALL SELECT 'an entry of two: ' || entry_index FROM log_commitments GROUP BY entry_index HAVING count(*) > 1
     UNION ALL SELECT e.n || ' entries of ' || c.n || ' documents'
     FROM (SELECT count(*) AS n FROM log_entries) e, (SELECT count(entry_index) AS n FROM log_commitments) c
     WHERE e.n <> c.n
     UNION ALL SELECT 'the last checkpoint has no cosignature' WHERE EXISTS (SELECT FROM log_entries)
       AND NOT EXISTS (SELECT FROM log_cosignatures WHERE size = (SELECT max(size) FROM log_checkpoints))`,
  );
  found.wrong.push(...faults);
}

/** Compares the hash of each sealed file, as its owner reads it, with the one on record. */
async function checkFiles(
  url: string,
  { headers }: Payer,
  { documents }: Databases,
  { sealed }: Outcomes,
  found: Findings,
): Promise<void> {
  const files: string[] = [];
  for (const id of sealed) {
    const answer = await fetch(`${url}/api/documents/${id}/final-pdf`, { headers });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    files.push(`${id} ${createHash('sha256').update(bytes).digest('hex')}`);
  }
  const hashes = `SELECT id || ' ' || final_sha256 AS it FROM documents WHERE final_sha256 IS NOT NULL`;
  found.once('sealed file', files, await column(documents, hashes));
}

/** Each published page has one version, and one line in the audit log. */
async function checkPages({ cms, auth }: Databases, { pages }: Outcomes, found: Findings): Promise<void> {
  const versions = `SELECT slug AS it FROM page_versions WHERE slug LIKE 'faults-%'`;
  found.once('page', pages, await column(cms, versions));
  const lines = `SELECT target_id AS it FROM admin_audit WHERE action = 'page.published'`;
  found.once('line of the audit log for page', pages, await column(auth, lines));
}
