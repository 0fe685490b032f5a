import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Document, FinalizationProgress } from '@karaar/contracts/documents/http';
import { createBlobStore, parseKekRing, type BlobStore } from '@karaar/storage/blobs';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { RenderError, type Renderer } from '@karaar/rendering';
import { createRenderer } from '@karaar/rendering/renderer';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { textOf } from '@karaar/testing/pdf-judges';
import { createSealer, SealError, type SealErrorCode, type SealLevel } from '@karaar/sealing';
import { startApi, type Api } from '../api.ts';
import { approvedBy } from '../approved.ts';

jest.setTimeout(120_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let renderer: Renderer;
let workDir: string;
/** Composing waits for this before it starts. */
let gate: Promise<void> = Promise.resolve();
let fault: RenderError | undefined;
/** The blob store, and the promise that storing the sealed file waits for. */
let blobs: BlobStore;
let storing: Promise<void> = Promise.resolve();
/** Sealing waits for this. */
let sealing: () => Promise<void> = async () => undefined;
/** The seal levels that currently fail, and why. */
const outOfReach = new Map<SealLevel, SealErrorCode>();

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-progress-'));
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: workDir } });
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
  blobs = createBlobStore({
    service: 'documents',
    backend: { kind: 'fs', dir: join(workDir, 'blobs') },
    keks: parseKekRing(`test:${randomBytes(32).toString('base64')}`),
  });
  const put = blobs.put.bind(blobs);
  blobs.put = async (ownerId, source, options) => {
    await storing;
    return put(ownerId, source, options);
  };
  api = await startApi(
    'documents-progress',
    {},
    {
      blobs,
      renderer: {
        ...renderer,
        composeFinalPdf: async (input, options) => {
          await gate;
          if (fault) throw fault;
          return renderer.composeFinalPdf(input, options);
        },
      },
      sealer: {
        identity: sealer.identity,
        get level() {
          return outOfReach.size > 0 ? 'B-LT' : sealer.level;
        },
        seal: async (pdf, options) => {
          await sealing();
          const fault = options?.level && outOfReach.get(options.level);
          if (fault) throw new SealError(fault, 'not now');
          return sealer.seal(pdf, options);
        },
      },
    },
  );
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
}, 120_000);
afterAll(async () => {
  await api.stop();
  await rm(workDir, { recursive: true });
});

const finalize = (id: string) => api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
const read = async (user: WorldUser, id: string) =>
  (await api.call(user, 'GET', `/documents/${id}`)).body as Document;

const finalized = async (id: string): Promise<Document> => {
  expect([200, 202]).toContain((await finalize(id)).status);
  await until('it is finalized', async () => (await read(owner, id)).status === 'finalized', 60_000);
  return read(owner, id);
};

type ProgressEvent = {
  aggregate_version: number;
  data: { involved_users: string[]; progress: FinalizationProgress };
};
const progressEvents = async (id: string): Promise<ProgressEvent[]> => {
  const { rows } = await sql<ProgressEvent>`
    SELECT aggregate_version::int, data FROM outbox
    WHERE type = 'documents.finalization.progressed' AND aggregate_id = ${id} ORDER BY id`.execute(
    api.service.foundation.db,
  );
  return rows;
};

describe('a slow finalization', () => {
  it('responds 202 after ten seconds, and continues to the end', async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const id = await approvedBy(api, owner, guest);
    const asked = performance.now();
    const answer = await finalize(id);
    const took = performance.now() - asked;
    expect(answer.status).toBe(202);
    // The test holds the finalization up, so the response did not wait for its end.
    expect(took).toBeGreaterThan(9_900);
    const waiting = await read(guest, id);
    expect(waiting).toMatchObject({ status: 'approved', finalization: { state: 'running' } });
    expect(waiting.finalization?.progress).toMatchObject({ step: 'files', percent: 0 });
    open();
    await until('it is finalized', async () => (await read(guest, id)).status === 'finalized', 60_000);
    expect((await read(guest, id)).finalization).toMatchObject({ state: 'done', progress: null });
  });

  it('[FINAL-028] is not visible as finalized, to any user, before the sealed file is stored', async () => {
    const id = await approvedBy(api, owner, guest);
    let stored = (): void => undefined;
    storing = new Promise((resolve) => (stored = resolve));
    const answer = finalized(id);
    await until('the seal is made', async () =>
      (await progressEvents(id)).some(({ data }) => data.progress.step === 'storing'),
    );
    for (const user of [owner, guest]) {
      expect(await read(user, id)).toMatchObject({ status: 'approved', final_docs: [], blockchain: false });
      expect((await api.call(user, 'GET', `/documents/${id}/final-pdf`)).status).toBe(409);
    }
    stored();
    expect(await answer).toMatchObject({ status: 'finalized', final_docs: [expect.any(String)] });
  });

  it('publishes every slow step to both parties, in order', async () => {
    const id = await approvedBy(api, owner, guest);
    // A step that ends before it is written is left out; this one takes longer.
    sealing = () =>
      until('the seal is told', async () =>
        (await progressEvents(id)).some(({ data }) => data.progress.step === 'sealing'),
      );
    await finalized(id).finally(() => (sealing = async () => undefined));
    const events = await progressEvents(id);
    const steps = events.map(({ data }) => data.progress.step);
    expect([...new Set(steps)]).toEqual(expect.arrayContaining(['files', 'pages', 'sealing']));
    const order = ['files', 'pages', 'assembling', 'sealing', 'storing'];
    expect(steps.map((step) => order.indexOf(step))).toEqual(
      [...steps.map((step) => order.indexOf(step))].sort((a, b) => a - b),
    );
    for (const [index, { aggregate_version: version, data }] of events.entries()) {
      expect(data.progress.no).toBe(index + 1);
      expect(version).toBe(index + 1);
      expect([...data.involved_users].sort()).toEqual([owner.userId, guest.userId].sort());
    }
  });
});

describe('a seal below the configured level', () => {
  it('is shown with its actual level and the reason, and is one seal', async () => {
    outOfReach.set('B-LT', 'revocation_unavailable').set('B-T', 'tsa_unavailable');
    const id = await approvedBy(api, owner, guest);
    await finalized(id);
    outOfReach.clear();
    const response = await fetch(`${api.url}/documents/${id}/final-pdf`, { headers: owner.headers });
    const pdf = new Uint8Array(await response.arrayBuffer());
    const text = (await textOf(pdf)).replace(/\s+/g, ' ');
    expect(text).toContain('no timestamp authority attests it (PAdES B-B)');
    expect(text).toContain('No timestamp authority could be reached when this document was sealed.');
    expect(text).not.toMatch(/PAdES B-L?T/);
    const path = `${api.world.folder}/lower.pdf`;
    writeFileSync(path, pdf);
    const verdict = execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8' });
    expect(verdict.match(/Signature #\d/g)).toHaveLength(1);
    expect(verdict).toContain('Total document signed');
  });
});

describe('the languages of the certificate', () => {
  const speak = (user: WorldUser, language: string | null) =>
    sql`UPDATE directory SET language = ${language} WHERE user_id = ${user.userId}`.execute(
      api.service.foundation.db,
    );
  const sealedText = async (id: string): Promise<string> => {
    const response = await fetch(`${api.url}/documents/${id}/final-pdf`, { headers: owner.headers });
    return (await textOf(new Uint8Array(await response.arrayBuffer()))).replace(/\s+/g, ' ');
  };
  afterEach(async () => {
    outOfReach.clear();
    await speak(owner, null);
    await speak(guest, null);
  });

  it('are English and the languages that the parties have chosen, the creator’s first, with the note of the seal', async () => {
    const id = await approvedBy(api, owner, guest);
    await speak(owner, 'mr');
    await speak(guest, 'hi');
    outOfReach.set('B-LT', 'tsa_unavailable').set('B-T', 'tsa_unavailable');
    await finalized(id);
    const text = await sealedText(id);
    expect(text).toContain('This certificate follows in Marathi and Hindi as well.');
    expect(text).toContain('No timestamp authority could be reached when this document was sealed.');
    const letters = text.replace(/[\s\u200b-\u200d]+/g, '');
    for (const words of ['संस्थेशी', 'मजकुरात', 'अनुवाद']) expect(letters).toContain(words);
  });

  it('are English only if no party has chosen another language', async () => {
    const id = await approvedBy(api, owner, guest);
    await speak(guest, 'en');
    await finalized(id);
    expect(await sealedText(id)).not.toContain('This certificate follows');
  });
});

describe('a failing finalization', () => {
  it('shows the reason and the file, leaves the document approved, and can be retried', async () => {
    const id = await approvedBy(api, owner, guest);
    const { name } = (await read(owner, id)).raw_files[0]!;
    fault = new RenderError('pdf_broken', `"${name}" cannot be read.`, { file: name });
    expect((await finalize(id)).status).toBe(202);
    const failed = await read(guest, id);
    expect(failed.status).toBe('approved');
    expect(failed.finalization).toMatchObject({ state: 'failed', code: 'pdf_broken', file: name });
    expect(failed.finalization?.detail).toContain(name);

    fault = undefined;
    expect(await finalized(id)).toMatchObject({
      status: 'finalized',
      finalization: { state: 'done', code: null },
    });
  });
});
