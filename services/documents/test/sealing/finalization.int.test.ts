import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { LAW } from '@karaar/contracts/cms/law';
import { cmsRpc } from '@karaar/contracts/cms/rpc';
import type { Document } from '@karaar/contracts/documents/http';
import type { LogProof } from '@karaar/contracts/documents/log';
import type { Verification } from '@karaar/contracts/documents/verify';
import { fromBase64 } from '@karaar/proof/bytes';
import { leafData } from '@karaar/proof/log/leaf';
import { leafHash, verifyInclusion } from '@karaar/proof/log/merkle';
import { parseCheckpoint, parseKey, parseNote, verifyNote } from '@karaar/proof/log/note';
import { listIn } from '@karaar/testing/list-in';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { sha256 } from '@karaar/rendering/testing/samples';
import { textPdf } from '@karaar/testing/made-up/files';
import { until } from '@karaar/testing/until';
import { pageCount, textOf } from '@karaar/testing/pdf-judges';
import { lockLog } from '../../src/features/transparency-log/log.repository.ts';
import { blobsOf, startApi, type Api } from '../api.ts';
import { approvedBy } from '../approved.ts';

jest.setTimeout(120_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-finalization');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('विक्रम शाह');
}, 120_000);
afterAll(() => api.stop());

const approvedDocument = () => approvedBy(api, owner, guest);
const finalize = (id: string, form = new FormData()) =>
  api.send(owner, `/documents/${id}/finalize`, form, 'PATCH');
const get = async (id: string) => (await api.call(owner, 'GET', `/documents/${id}`)).body;
const pdfOf = async (user: WorldUser, id: string) => {
  const response = await fetch(`${api.url}/documents/${id}/final-pdf`, { headers: user.headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  return new Uint8Array(await response.arrayBuffer());
};
async function verify(pdf: Uint8Array): Promise<Verification> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'final.pdf');
  const response = await fetch(`${api.url}/verify`, { method: 'POST', body: form });
  expect(response.status).toBe(200);
  return (await response.json()) as Verification;
}
async function settled(id: string): Promise<Record<string, unknown>> {
  for (let i = 0; i < 300; i += 1) {
    const document = await get(id);
    const job = document['finalization'] as { state: string } | null;
    const ended = job && job.state !== 'running';
    // The log entry follows a moment after the file.
    if (ended && (job.state === 'failed' || document['blockchain'] === true)) return document;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the job did not end');
}

/** Runs `work` while the log takes no entries. */
async function withoutLog(work: () => Promise<void>): Promise<void> {
  await api.service.foundation.db.transaction().execute(async (tx) => {
    await lockLog(tx);
    await work();
  });
}

/** Verifies a proof as an outsider would, with the response alone. */
function proofHolds(proof: LogProof): boolean {
  const fact = { code: proof.document_code, sha256: proof.sha256, sealedAt: proof.sealed_at };
  const note = parseNote(proof.checkpoint);
  const { size, root } = parseCheckpoint(note.body);
  return (
    verifyNote(note, parseKey(proof.keys.log)) &&
    size === proof.tree_size &&
    verifyInclusion({
      index: proof.leaf_index,
      size,
      leaf: leafHash(leafData(fromBase64(proof.salt), fact)),
      proof: proof.inclusion.map(fromBase64),
      root,
    })
  );
}

describe('finalizing', () => {
  it('[FINAL-007] [FINAL-011] [FINAL-016] [FINAL-026] [DOC-037] seals one PDF for both parties, and keeps the attachment', async () => {
    const id = await approvedDocument();
    const form = new FormData();
    form.append('final_documents', new Blob(['annex']), 'annex.txt');
    const answer = await finalize(id, form);
    expect([200, 202]).toContain(answer.status);
    const document = await settled(id);
    expect(document).toMatchObject({ status: 'finalized', blockchain: true });
    // Both parties see and open the attachment next to the sealed PDF; an admin sees its name.
    const shown = (await api.call(guest, 'GET', `/documents/${id}`)).body as Document;
    expect(shown.final_files).toEqual([
      { name: `${shown.document_code}.pdf`, path: shown.final_docs[0], sealed: true },
      { name: 'annex.txt', path: shown.final_docs[1], sealed: false },
    ]);
    const annex = await fetch(`${api.url}${shown.final_docs[1]?.replace('/api', '')}`);
    expect([annex.status, await annex.text()]).toEqual([200, 'annex']);
    const admin = { headers: await api.world.adminHeaders('support') };
    const seen = await fetch(`${api.url}/admin/documents/${id}`, admin);
    expect(await seen.json()).toMatchObject({ final_docs: [`${shown.document_code}.pdf`, 'annex.txt'] });

    const pdf = await pdfOf(guest, id);
    expect(Buffer.from(await pdfOf(owner, id)).equals(pdf)).toBe(true);
    const stored = await fetch(`${api.url}${shown.final_docs[0]?.replace('/api', '')}`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(pdf)).toBe(true);
    expect(await pageCount(pdf)).toBeGreaterThanOrEqual(4);
    const text = await textOf(pdf);
    for (const part of ['Rent agreement', 'The rent is 10,000 rupees', 'Asha Rao', 'B-B']) {
      expect(text).toContain(part);
    }
    const path = `${api.world.folder}/final.pdf`;
    writeFileSync(path, pdf);
    const seal = execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8' });
    expect(seal).toContain('Signature is Valid');
    expect(seal).toContain('Total document signed');

    const attachments = await api.service.foundation.db
      .selectFrom('attachments')
      .select(['name', 'size', 'path', 'sha256'])
      .where('document_id', '=', id)
      .execute();
    expect(attachments).toMatchObject([{ name: 'annex.txt', size: 5, sha256: sha256(Buffer.from('annex')) }]);
    expect((await blobsOf(api).read(attachments[0]?.path ?? '')).toString()).toBe('annex');
    expect((await finalize(id)).status).toBe(409);
  });

  it('[FINAL-016] refuses an attachment that a browser or a system could run: the other parties approved without it', async () => {
    const id = await approvedDocument();
    const page = '<html><script>alert(1)</script></html>';
    const late = Buffer.concat([Buffer.from(page), await textPdf('Annex')]);
    const refused: [string, string | Uint8Array][] = [
      ['annex.html', page],
      ['annex', page],
      ['annex.svg', `<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`],
      ['annex.pdf', page],
      ['annex.html', late],
      ['annex.exe', 'MZ'],
      ['annex.docx', Buffer.from('504b0304', 'hex')],
    ];
    for (const [name, content] of refused) {
      const form = new FormData();
      form.append('final_documents', new Blob(['kept']), 'kept.txt');
      form.append(
        'final_documents',
        new Blob([new Uint8Array(Buffer.from(content))], { type: 'application/pdf' }),
        name,
      );
      expect(await finalize(id, form)).toMatchObject({
        status: 422,
        body: { code: 'final_file_kind', detail: [{ loc: 'final_documents', file: name }] },
      });
    }
    expect(await get(id)).toMatchObject({ status: 'approved', finalization: null });
    const form = new FormData();
    form.append('final_documents', new Blob([new Uint8Array(await textPdf('Annex'))]), 'annex.PDF');
    expect([200, 202]).toContain((await finalize(id, form)).status);
    expect(await settled(id)).toMatchObject({ status: 'finalized' });
  });

  it('[FINAL-016] keeps the attachments of the successful attempt, and refuses late ones', async () => {
    const id = await approvedDocument();
    const { db } = api.service.foundation;
    const withFiles = (...texts: string[]) => {
      const form = new FormData();
      for (const text of texts) form.append('final_documents', new Blob([text]), `${text}.txt`);
      return form;
    };
    const { sha256: right } = await db
      .selectFrom('raw_files')
      .select('sha256')
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow();
    const setHash = (hash: string) =>
      db.updateTable('raw_files').set({ sha256: hash }).where('document_id', '=', id).execute();
    await setHash('f'.repeat(64));
    await finalize(id, withFiles('mistaken'));
    expect(await settled(id)).toMatchObject({ status: 'approved', finalization: { state: 'failed' } });
    const failed = await db
      .selectFrom('attachments')
      .select('path')
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow();
    await setHash(right);
    const running = finalize(id, withFiles('keys', 'plan'));
    const isRunning = async () => (await get(id))['finalization'] as { state: string } | null;
    while ((await isRunning())?.state !== 'running') await new Promise((next) => setTimeout(next, 5));
    // The same files are the same attempt. Different files would be ignored silently, so they are refused.
    const [again, late] = await Promise.all([
      finalize(id, withFiles('keys', 'plan')),
      finalize(id, withFiles('afterthought')),
    ]);
    expect(again.status).not.toBe(422);
    expect(late).toMatchObject({ status: 409, body: { code: 'attached_too_late' } });
    await running;
    // The response of GET /documents/:id; the helper types it as plain JSON.
    const document = (await settled(id)) as unknown as Document;
    expect(document.final_files.map(({ name }) => name)).toEqual([
      `${document.document_code}.pdf`,
      'keys.txt',
      'plan.txt',
    ]);
    await expect(blobsOf(api).read(failed.path)).rejects.toThrow();
  });

  it('[FINAL-029] [FINAL-030] [FINAL-033] adds the sealed file to the log before it shows blockchain: true', async () => {
    const id = await approvedDocument();
    expect((await get(id))['blockchain']).toBe(false);
    const logProof = () => api.call(owner, 'GET', `/documents/${id}/log-proof`);
    expect((await logProof()).status).toBe(409);
    await withoutLog(async () => {
      await finalize(id);
      await until('it is finalized', async () => (await get(id))['status'] === 'finalized');
      expect((await get(id))['blockchain']).toBe(false);
      expect((await logProof()).status).toBe(409);
    });
    expect((await settled(id))['blockchain']).toBe(true);
    const { status, body } = await api.call(guest, 'GET', `/documents/${id}/log-proof`);
    expect(status).toBe(200);
    const proof = body as LogProof;
    const pdf = await pdfOf(owner, id);
    expect(proof.sha256).toBe(createHash('sha256').update(pdf).digest('hex'));
    expect(proofHolds(proof)).toBe(true);
    expect(proofHolds({ ...proof, sha256: 'f'.repeat(64) })).toBe(false);
    expect(proofHolds({ ...proof, leaf_index: proof.leaf_index + 1 })).toBe(false);
    // The log itself contains nothing readable about the agreement.
    const width = Math.min(256, proof.tree_size);
    const bundle = await fetch(`${api.url}/log/tile/entries/000${width < 256 ? `.p/${width}` : ''}`);
    const text = Buffer.from(await bundle.arrayBuffer()).toString('latin1');
    for (const part of [proof.document_code, proof.sha256, 'Rent', owner.name, owner.userId]) {
      expect(text).not.toContain(part);
    }
    const events = listIn<{
      type: string;
    }>((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
    expect(events.at(-1)?.type).toBe('document.logged');
  });

  it('[FINAL-036] [FINAL-037] is verifiable by anyone who has the file or the code', async () => {
    const id = await approvedDocument();
    await finalize(id);
    await settled(id);
    const pdf = await pdfOf(owner, id);
    const code = String((await get(id))['document_code']);
    const answer = await verify(pdf);
    expect(answer).toMatchObject({
      valid: true,
      sha256: createHash('sha256').update(pdf).digest('hex'),
      document_code: code,
      sealed_by: 'Karaar development seal',
      timestamp: null,
      log: { origin: 'karaar.localhost/log', cosigned: [] },
    });
    expect(answer.checks.map(({ name, ok }) => `${name} ${ok}`)).toEqual([
      'file true',
      'coverage true',
      'signature true',
      'certificate true',
      'logged true',
      'checkpoint true',
    ]);
    for (const written of [code, code.toLowerCase()]) {
      const byCode = await api.call(undefined, 'GET', `/verify/${written}`);
      expect(byCode).toMatchObject({ status: 200, body: { valid: true, sha256: answer.sha256 } });
      // The response contains nothing about the content of the agreement.
      for (const secret of ['Rent agreement', owner.name, guest.name, owner.charId]) {
        expect(JSON.stringify(byCode.body)).not.toContain(secret);
      }
    }
  });

  it('[FINAL-036] [FINAL-037] detects a file that was changed, was never sealed or is not a PDF', async () => {
    const id = await approvedDocument();
    await finalize(id);
    await settled(id);
    const pdf = await pdfOf(owner, id);
    const changed = Uint8Array.from(pdf);
    changed[2_000] = (changed[2_000] ?? 0) ^ 1;
    const failing = async (bytes: Uint8Array) => {
      const { valid, checks, sealed_by } = await verify(bytes);
      expect({ valid, sealed_by }).toEqual({ valid: false, sealed_by: null });
      return checks.filter(({ ok }) => !ok).map(({ name }) => name);
    };
    expect(await failing(changed)).toEqual(['signature', 'logged']);
    expect(await failing(Buffer.concat([pdf, Buffer.from('\n')]))).toEqual(['coverage', 'logged']);
    expect(await failing(await textPdf('Never sealed'))).toEqual(['file', 'logged']);
    expect(await failing(Buffer.from('hello'))).toEqual(['file', 'logged']);
    const { id: open, code } = await api.create(owner);
    expect(open).toBeDefined();
    for (const unknown of [code, 'ZZZZZZZZ', 'nonsense']) {
      expect((await api.call(undefined, 'GET', `/verify/${unknown}`)).status).toBe(404);
    }
    const none = await fetch(`${api.url}/verify`, { method: 'POST', body: new FormData() });
    expect(none.status).toBe(422);
  });

  it('[FINAL-036] is no longer valid after its stored file or its record was changed', async () => {
    const id = await approvedDocument();
    await finalize(id);
    await settled(id);
    const { db } = api.service.foundation;
    const code = String((await get(id))['document_code']);
    const record = await db
      .selectFrom('log_commitments')
      .select('sealed_at')
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('log_commitments')
      .set({ sealed_at: '2020-01-01T00:00:00.000Z' })
      .where('document_id', '=', id)
      .execute();
    expect((await api.call(undefined, 'GET', `/verify/${code}`)).body['valid']).toBe(false);
    await db.updateTable('log_commitments').set(record).where('document_id', '=', id).execute();
    expect((await api.call(undefined, 'GET', `/verify/${code}`)).body['valid']).toBe(true);
    const other = await api.service.foundation.db
      .selectFrom('documents')
      .select('final_path')
      .where('status', '=', 'finalized')
      .where('id', '<>', id)
      .executeTakeFirstOrThrow();
    await db.updateTable('documents').set(other).where('id', '=', id).execute();
    const swapped = await api.call(undefined, 'GET', `/verify/${code}`);
    expect(swapped.body['document_code']).not.toBe(code);
  });

  it('[FINAL-008] [FINAL-014] is refused before approval, and there is no PDF', async () => {
    const { id } = await api.create(owner);
    const answer = await finalize(id);
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: 'Finalize is available after the document is approved.' },
    });
    refused(await api.call(owner, 'GET', `/documents/${id}/final-pdf`), 409);
    expect((await get(id))['status']).toBe('pending');
  });

  it('[FINAL-017] is refused if a file differs from the approved one', async () => {
    const id = await approvedDocument();
    await api.service.foundation.db
      .updateTable('raw_files')
      .set({ sha256: 'f'.repeat(64) })
      .where('document_id', '=', id)
      .execute();
    await finalize(id);
    const document = await settled(id);
    expect(document).toMatchObject({ status: 'approved', finalization: { state: 'failed' } });
    expect((document['finalization'] as { detail: string }).detail).toContain('differs');
  });

  it('[FINAL-015] starts without attachments, and once for concurrent requests', async () => {
    const id = await approvedDocument();
    const answers = await Promise.all([finalize(id), finalize(id), finalize(id)]);
    expect(answers.every((answer) => [200, 202, 409].includes(answer.status))).toBe(true);
    expect((await settled(id))['status']).toBe('finalized');
    const events = listIn<{
      type: string;
    }>((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
    expect(events.filter((event) => event.type === 'finalization.started')).toHaveLength(1);
    expect(events.filter((event) => event.type === 'document.finalized')).toHaveLength(1);
  });

  it('allows no change while it runs', async () => {
    const id = await approvedDocument();
    const running = finalize(id);
    let refused = 0;
    for (let i = 0; i < 20 && refused === 0; i += 1) {
      const removal = await api.call(owner, 'PUT', `/documents/${id}/approve-user/${guest.userId}`);
      if (removal.status === 409) refused += 1;
    }
    expect(refused).toBe(1);
    await running;
    expect((await settled(id))['status']).toBe('finalized');
  });

  it('[FINAL-027] [FINAL-028] is completed by the next worker if the first one crashes', async () => {
    const id = await approvedDocument();
    const { db } = api.service.foundation;
    // The state that a killed process leaves: the document marked, the job claimed, its lease expired.
    await db.updateTable('documents').set({ finalizing: true }).where('id', '=', id).execute();
    await db
      .insertInto('finalization_jobs')
      .values({
        document_id: id,
        state: 'running',
        attempts: 1,
        lease_until: sql<Date>`now() - interval '1 second'`,
        detail: null,
        requested_by: owner.userId,
        law: JSON.stringify(LAW),
      })
      .execute();
    expect((await get(id))['status']).toBe('approved');
    expect((await settled(id))['status']).toBe('finalized');
    expect((await pdfOf(owner, id)).length).toBeGreaterThan(10_000);
  });

  it('shows the default words about the law while cms is away, and the words of the operator once it answers', async () => {
    const shown = async (id: string) => {
      const pdf = await textOf(await pdfOf(owner, id));
      const receipt = await fetch(`${api.url}/documents/${id}/receipt`, { headers: owner.headers });
      return [pdf.replace(/\s+/g, ' '), await receipt.text()];
    };
    const before = await approvedDocument();
    await finalize(before);
    expect((await settled(before))['status']).toBe('finalized');
    for (const text of await shown(before)) expect(text).toContain('Under section 10A of the Information');

    let own = 'Ask our desk in Pune about stamp duty.';
    await api.world.serve(cmsRpc.law, () => ({
      law: { en: { title: 'Our words', lines: [{ text: own }] } },
    }));
    const after = await approvedDocument();
    await finalize(after);
    expect((await settled(after))['status']).toBe('finalized');
    own = 'Changed later.';
    for (const text of await shown(after)) {
      expect(text).toContain('Ask our desk in Pune about stamp duty.');
      expect(text).not.toMatch(/section 10A|Changed later/);
    }
  });

  it('is recorded in the history, which cannot be changed', async () => {
    const id = await approvedDocument();
    const events = listIn<{
      type: string;
      actor_name: string;
    }>((await api.call(guest, 'GET', `/documents/${id}/events`)).body);
    expect(events.map((event) => event.type)).toEqual([
      'document.created',
      'party.invited',
      'party.accepted',
      'document.approved',
    ]);
    expect(events[2]?.actor_name).toBe(guest.name);
    await expect(api.world.asOwner('DELETE FROM document_events')).rejects.toThrow('never changed');
    await expect(sql`DELETE FROM document_events`.execute(api.service.foundation.db)).rejects.toThrow(
      'permission denied',
    );
  });
});
