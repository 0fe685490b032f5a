import { jest } from '@jest/globals';
import { PDF } from '@libpdf/core';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { reportSms } from '@karaar/testing/providers/sms';
import { sql } from 'kysely';
import sharp from 'sharp';
import { sweep } from '../../src/features/text-messages/text-messages.worker.ts';
import { pageCount } from '@karaar/testing/pdf-judges';
import {
  writeTextMessage,
  textMessageTemplates,
} from '../../src/features/text-messages/text-messages.texts.ts';
import { documentForm, startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(90_000);

let api: Api;
let owner: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-uploads', {
    UPLOAD_FILE_MAX_MB: '1',
    UPLOAD_TOTAL_MAX_MB: '2',
    TEXTS_PER_RECEIVER_AND_DAY: '3',
  });
  owner = await api.world.addUser('Asha Rao');
}, 120_000);
afterAll(() => api.stop());
beforeEach(() => {
  api.sms.mode = 'ok';
});

type File = {
  name: string;
  pages: number;
  thumbnail: string;
  preview: string;
};
const filesOf = async (id: string) =>
  (await api.call(owner, 'GET', `/documents/${id}`)).body['raw_files'] as File[];
const open = (link: string) => fetch(`${api.url}${link.replace('/api', '')}`);
const blob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);

describe('uploads', () => {
  it('[DOC-029] refuses Word files with macros, locked files and files above the limits, by name', async () => {
    const ole = Buffer.alloc(1_536);
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(ole);
    for (const [at, name] of [
      [512, 'WordDocument'],
      [640, '_VBA_PROJECT'],
    ] as const) {
      const entry = Buffer.from(`${name}\0`, 'utf16le');
      entry.copy(ole, at);
      ole.writeUInt16LE(entry.length, at + 64);
    }
    const plain = await PDF.load(await textPdf('Hidden'));
    plain.setProtection({ userPassword: 'secret', ownerPassword: 'owner' });
    const encrypted = await plain.save();
    const lockedWord = Buffer.alloc(1_536);
    ole.subarray(0, 8).copy(lockedWord);
    Buffer.from('EncryptedPackage', 'utf16le').copy(lockedWord, 640);
    const files: [string, Uint8Array, number, string][] = [
      ['letter.docx', docx(['hello'], { 'word/vbaProject.bin': 'x' }), 422, 'macros'],
      ['old.doc', ole, 422, 'macros'],
      ['locked.pdf', encrypted, 422, 'protected with a password'],
      ['locked.docx', lockedWord, 422, 'protected with a password'],
      ['large.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1_100_000)]), 413, '1 MB'],
    ];
    for (const [name, content, status, text] of files) {
      const form = await documentForm();
      form.append('raw_documents', blob(content), name);
      const answer = await api.send(owner, '/documents/create', form);
      const detail = JSON.stringify(answer.body['detail']);
      expect({ name, status: answer.status, detail }).toEqual({
        name,
        status,
        detail: expect.stringContaining(name),
      });
      expect(detail).toContain(text);
    }
    const form = await documentForm();
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf'])
      form.append('raw_documents', blob(Buffer.alloc(900_000, '%PDF-1.7\n')), name);
    expect(await api.send(owner, '/documents/create', form)).toMatchObject({
      status: 413,
      body: { detail: 'All files together may have 2 MB at most.' },
    });
  });

  it('shows each file’s pages as they will be sealed, and a thumbnail, at once and to parties only', async () => {
    const picture = sharp({ create: { width: 900, height: 300, channels: 3, background: '#1f3a8a' } });
    const bytes = await picture.png().toBuffer();
    const { id } = await api.create(owner, (form) => {
      form.append('raw_documents', blob(docx(['Terms of the shop'])), 'terms.docx');
      form.append('raw_documents', blob(bytes), 'plan.png');
    });
    const files = await filesOf(id);
    expect(files.map(({ pages }) => pages)).toEqual([1, 1, 1]);
    for (const file of files) {
      const preview = await open(file.preview);
      expect(preview.headers.get('content-type')).toBe('application/pdf');
      expect(await pageCount(new Uint8Array(await preview.arrayBuffer()))).toBe(1);
      const thumbnail = await open(file.thumbnail);
      const drawn = sharp(Buffer.from(await thumbnail.arrayBuffer()));
      expect(await drawn.metadata()).toMatchObject({ format: 'jpeg' });
      // Dark content on white paper.
      const [red] = (await drawn.stats()).channels;
      expect(red?.max).toBeGreaterThan(250);
      expect(red?.min).toBeLessThan(100);
      expect((await open(file.thumbnail.split('?')[0] ?? '')).status).toBe(403);
    }
  });
});

const phoneOf = async (user: WorldUser): Promise<string> => {
  const row = await api.service.foundation.db
    .selectFrom('directory')
    .select('phone_no')
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow();
  return row.phone_no;
};
const invite = (id: string, user: WorldUser, language?: string) =>
  api.call(owner, 'POST', `/documents/${id}/add-user`, {
    target_user_char_id: user.charId,
    ...(language ? { notice_language: language } : {}),
  });
const texts = async (user: WorldUser, count: number): Promise<string[]> => {
  const phone = await phoneOf(user);
  await until('the texts are sent', () => api.sms.to(phone).length >= count);
  return api.sms.to(phone).map(({ text }) => text);
};
const textMessages = (id: string) =>
  api.service.foundation.db
    .selectFrom('text_messages')
    .selectAll()
    .where('document_id', '=', id)
    .orderBy('id')
    .execute();

describe('text messages', () => {
  it('go to an invited party, with a link, in the chosen language; inviting again within the day sends none', async () => {
    const guest = await api.world.addUser('Meera Nair');
    const { id } = await api.create(owner);
    await invite(id, guest, 'hi');
    const [text] = await texts(guest, 1);
    expect(text).toContain('आमंत्रित');
    expect(text).toContain(`http://localhost:8080/document/${id}`);
    await api.call(owner, 'DELETE', `/documents/${id}/remove-user/${guest.userId}`);
    await invite(id, guest);
    await until('both are on record', async () => (await textMessages(id)).length === 2);
    expect((await textMessages(id)).map(({ state }) => state)).toEqual(['sent', 'skipped']);
  });

  it('remind at most once a day, and only parties who have not answered', async () => {
    const guest = await api.world.addUser('Kiran Das');
    const { id } = await api.create(owner);
    await invite(id, guest);
    const remind = () => api.call(owner, 'POST', `/documents/${id}/remind/${guest.userId}`);
    const before = (await api.call(owner, 'GET', `/documents/${id}`)).body['parties'] as {
      remindable_at: string;
    }[];
    expect(Date.parse(before[1]?.remindable_at ?? '')).toBeLessThan(Date.now());
    expect(before[1]).not.toHaveProperty('reminded_at');
    const answers = await Promise.all([remind(), remind(), remind()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(answers.find(({ status }) => status === 429)?.body['detail']).toContain('Kiran Das was reminded');
    expect(await texts(guest, 2)).toContainEqual(expect.stringContaining('is waiting for your answer'));
    const after = (await api.call(owner, 'GET', `/documents/${id}`)).body['parties'] as {
      remindable_at: string;
      reminded_at: string;
    }[];
    expect(Date.parse(after[1]?.remindable_at ?? '')).toBeGreaterThan(Date.now());
    expect(Date.parse(after[1]?.reminded_at ?? '')).toBeLessThanOrEqual(Date.now());
    expect(JSON.stringify((await api.call(guest, 'GET', `/documents/${id}`)).body)).not.toContain(
      'reminded_at',
    );
    await api.send(
      guest,
      `/documents/${id}/respond-agreement`,
      await verificationForm({ response: 'accept' }, true),
    );
    expect(await remind()).toMatchObject({ status: 409, body: { code: 'nothing_to_answer' } });
  });

  it('show the creator alone whether they were sent, and nothing of a text that was skipped', async () => {
    const [guest, silent] = [await api.world.addUser('Leela Rao'), await api.world.addUser('Nitin Joshi')];
    const stranger = await api.world.addUser('Omkar Patil');
    await api.call(silent, 'PUT', '/documents/notice-settings', { sms_notices: false });
    const { id } = await api.create(owner);
    await invite(id, silent);
    api.sms.mode = 'refuses';
    await invite(id, guest);
    const shown = async (user: WorldUser) => {
      const { body } = await api.call(user, 'GET', `/documents/${id}`);
      return (body['parties'] as { user_id: string; text_message?: unknown }[] | undefined)?.flatMap(
        ({ user_id, text_message }) => (text_message ? [{ user_id, text_message }] : []),
      );
    };
    const at = expect.stringMatching(/^\d{4}-/);
    await until('both are ended', async () =>
      (await textMessages(id)).every(({ state }) => state === 'failed' || state === 'skipped'),
    );
    expect(await shown(owner)).toEqual([
      { user_id: guest.userId, text_message: { state: 'failed', cause: 'unknown_number', at } },
    ]);
    api.sms.mode = 'ok';
    await api.call(owner, 'POST', `/documents/${id}/remind/${guest.userId}`);
    await texts(guest, 1);
    await until('it is sent', async () => (await textMessages(id)).at(-1)?.state === 'sent');
    expect(await shown(owner)).toEqual([{ user_id: guest.userId, text_message: { state: 'sent', at } }]);
    expect([await shown(guest), await shown(silent)]).toEqual([[], []]);
    expect(await shown(stranger)).toBeUndefined();
    const list = await api.call(owner, 'GET', '/documents/my-documents');
    expect(JSON.stringify(list.body)).not.toContain('text_message');
  });

  it('are shown as delivered or not by the provider’s signed report, once, and by no other report', async () => {
    const guest = await api.world.addUser('Tara Iyer');
    const { id } = await api.create(owner);
    await invite(id, guest);
    await texts(guest, 1);
    const [{ statusUrl } = { statusUrl: '' }] = api.sms.to(await phoneOf(guest));
    await until('it is sent', async () => (await textMessages(id))[0]?.state === 'sent');
    const report = (status: string, signed: { url?: string; token?: string } = {}) => {
      const error = status === 'undelivered' ? { ErrorCode: '30007' } : undefined;
      return reportSms(api.url, statusUrl, { MessageStatus: status, ...error }, signed);
    };
    const state = async () => {
      const { body } = await api.call(owner, 'GET', `/documents/${id}`);
      const [, party] = body['parties'] as { text_message?: { state: string; cause?: string } }[];
      return [party?.text_message?.state, party?.text_message?.cause];
    };
    const other = statusUrl.replace(/[0-9a-f-]{36}/, crypto.randomUUID());
    expect(await report('delivered', { token: 'guess' })).toBe(401);
    expect(await report('delivered', { url: other })).toBe(401);
    expect(await report('sent')).toBe(200);
    expect(await state()).toEqual(['sent', undefined]);
    expect(await report('undelivered')).toBe(200);
    expect(await state()).toEqual(['failed', 'blocked']);
    expect(await report('delivered')).toBe(200);
    expect(await state()).toEqual(['failed', 'blocked']);
  });

  it('do not go to users who switched them off', async () => {
    const guest = await api.world.addUser('Ravi Menon');
    const settings = '/documents/notice-settings';
    expect((await api.call(guest, 'GET', settings)).body).toEqual({ sms_notices: true });
    expect((await api.call(guest, 'PUT', settings, { sms_notices: false })).body).toEqual({
      sms_notices: false,
    });
    const { id } = await api.create(owner);
    await invite(id, guest);
    await until('it is skipped', async () => (await textMessages(id))[0]?.state === 'skipped');
    expect(api.sms.to(await phoneOf(guest))).toEqual([]);
    // The app still shows the reminder, with the same limit.
    const remind = () => api.call(owner, 'POST', `/documents/${id}/remind/${guest.userId}`);
    expect((await remind()).status).toBe(200);
    await until('it is skipped as well', async () => (await textMessages(id))[1]?.state === 'skipped');
    expect((await remind()).status).toBe(429);
  });

  it('are limited per receiver and day, from all senders together, and no sender sees it', async () => {
    const guest = await api.world.addUser('Usha Iyer');
    const made: { id: string; host: WorldUser }[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
      const host = await api.world.addUser(`Host ${name}`);
      const { id } = await api.create(host);
      made.push({ id, host });
    }
    // The requests are concurrent, because texts are counted when they are sent.
    const answers = await Promise.all(
      made.map(({ id, host }) =>
        api.call(host, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, Object.keys(body)]))).size).toBe(
      1,
    );
    const states = async () =>
      (await Promise.all(made.map(({ id }) => textMessages(id))))
        .flat()
        .map(({ state, reason }) => [state, reason]);
    await until('all are ended', async () =>
      (await states()).every(([state]) => state !== 'queued' && state !== 'sending'),
    );
    const skipped = ['skipped', 'too many texts to one receiver'];
    expect((await states()).toSorted()).toEqual([
      ['sent', null],
      ['sent', null],
      ['sent', null],
      skipped,
      skipped,
    ]);
    const phone = await phoneOf(guest);
    expect(api.sms.to(phone)).toHaveLength(3);
    const [first, second] = made;
    const remind = async (one: typeof first) =>
      (await api.call(one!.host, 'POST', `/documents/${one!.id}/remind/${guest.userId}`)).status;
    expect(await remind(first)).toBe(200);
    await until(
      'the reminder is skipped',
      async () => (await states()).filter(([state]) => state === 'skipped').length === 3,
    );
    await api.world.asOwner(`UPDATE contact_messages SET at = at - interval '1 day'`);
    expect(await remind(second)).toBe(200);
    await until('the next day’s is sent', () => api.sms.to(phone).length === 4);
  });

  it('are neither lost nor doubled after a crash: a text that the provider has is not sent again', async () => {
    const guest = await api.world.addUser('Lata Sen');
    const { id } = await api.create(owner);
    api.sms.mode = 'mute'; // accepts the text, and the connection breaks before the response
    await invite(id, guest);
    await texts(guest, 1);
    const { db } = api.service.foundation;
    const overdue = () =>
      db
        .updateTable('text_messages')
        .set({ lease_until: sql<Date>`now() - interval '1 second'` })
        .where('document_id', '=', id)
        .where('state', '=', 'sending')
        .execute();
    api.sms.mode = 'ok';
    await overdue();
    await until('it is on record as sent', async () => (await textMessages(id))[0]?.state === 'sent');
    expect(api.sms.to(await phoneOf(guest))).toHaveLength(1);
    // A text whose worker crashed before the provider was called is sent afterwards.
    await db
      .updateTable('text_messages')
      .set({
        state: 'sending',
        // The service's types forbid setting created_at.
        created_at: sql<Date>`now() + interval '1 minute'` as never,
        lease_until: sql<Date>`now() - interval '1 second'`,
      })
      .where('document_id', '=', id)
      .execute();
    await texts(guest, 2);
    await until('it is on record as sent', async () => (await textMessages(id))[0]?.state === 'sent');
    expect(api.sms.to(await phoneOf(guest))).toHaveLength(2);
  });

  it('remind parties without approval once before a document starts, and never at night', async () => {
    const guest = await api.world.addUser('Arun Pillai');
    const { id } = await api.create(owner, (form) => {
      form.set('start_date', '2027-03-10');
      form.set('end_date', '2027-03-12');
    });
    await invite(id, guest);
    await texts(guest, 1);
    const { db } = api.service.foundation;
    await db
      .updateTable('text_messages')
      // The service's types forbid setting created_at.
      .set({ created_at: sql<Date>`now() - interval '2 days'` as never })
      .where('document_id', '=', id)
      .execute();
    const ctx = { db, config: { REMINDER_DAYS_BEFORE_START: [3, 1] } };
    await sweep(ctx, new Date('2027-03-06T21:00:00Z')); // half past two in India
    expect(await textMessages(id)).toHaveLength(1);
    for (let again = 0; again < 3; again += 1) await sweep(ctx, new Date('2027-03-07T05:00:00Z'));
    expect((await textMessages(id)).filter(({ kind }) => kind === 'starts_soon')).toHaveLength(2);
    const [, text] = await texts(guest, 2);
    expect(text).toContain('starts on 10/03/2027');
  });

  it('exist in every language, with the other person’s ID and our link, and without words from users', () => {
    expect(textMessageTemplates).toHaveLength(30);
    const variables = {
      sender: 'A1B2C3D4',
      day: '01/02/2027',
      link: 'https://k/document/01234567-89ab-cdef-0123-456789abcdef',
    };
    for (const kind of ['invited', 'admitted', 'reminder', 'starts_soon', 'withdrawn'] as const) {
      const seen = new Set<string>();
      for (const language of ['en', 'hi', 'ta', 'bn', 'mr', 'te'] as const) {
        const message = writeTextMessage('+919000000001', kind, language, variables);
        expect(textMessageTemplates).toContain(message.template);
        expect(message.text).toContain(kind === 'starts_soon' ? variables.day : variables.sender);
        expect(message.text).toContain(variables.link);
        expect(message.repeatable).toBe(false);
        seen.add(message.text);
      }
      expect(seen.size).toBe(6);
      for (const foreign of [
        { sender: 'evil.example' },
        { sender: 'Call +91 90000' },
        { day: 'www.evil.example' },
        { link: 'https://evil.example/win?me=1' },
        { link: `${variables.link} https://evil.example` },
      ])
        expect(() => writeTextMessage('+919000000001', kind, 'en', { ...variables, ...foreign })).toThrow(
          'cannot carry',
        );
    }
  });

  it('contain nothing that users wrote: neither a person’s name nor a document’s', async () => {
    const host = await api.world.addUser('Win a prize at evil.example');
    const guest = await api.world.addUser('Guest');
    const { id } = await api.create(host, (form) => form.set('name', 'Call now: https://evil.example'));
    await api.call(host, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
    await api.call(host, 'POST', `/documents/${id}/remind/${guest.userId}`);
    const own = `http://localhost:8080/document/${id}`;
    for (const text of await texts(guest, 2)) {
      expect(text).toContain(host.charId);
      expect(text.replace(own, '')).not.toMatch(/evil|prize|https?:|www\.|\w\.\w/i);
    }
  });
});

describe('join codes', () => {
  it('cannot be guessed: after ten unknown codes a user has to wait', async () => {
    const guesser = await api.world.addUser('Guesser');
    const { code } = await api.create(owner);
    const join = async (document_code: string) =>
      api.send(guesser, '/documents/join', await verificationForm({ document_code }));
    for (let n = 0; n < 10; n += 1) expect((await join(`ZZZZZZZ${n}`)).status).toBe(404);
    expect(await join(code)).toMatchObject({ status: 429 });
  });

  it('cannot be guessed concurrently: ten of forty requests are answered', async () => {
    const guesser = await api.world.addUser('Guesser');
    const codes = Array.from({ length: 40 }, (_, n) => `ZZZZZZ${String(n).padStart(2, '0')}`);
    const answers = await Promise.all(
      codes.map((document_code) => api.call(guesser, 'POST', '/documents/join/look-up', { document_code })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([
      ...Array.from({ length: 10 }, () => 404),
      ...Array.from({ length: 30 }, () => 429),
    ]);
  });
});
