import { jest } from '@jest/globals';
import { blobConfigFromEnv, createBlobStore, tidyBlobs } from '@karaar/storage/blobs';
import { idCardPng } from '@karaar/testing/faces/faces';
import { readConfig } from '../src/config.ts';
import { namedAttachments } from '../src/features/conversations/conversations.repository.ts';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
beforeAll(async () => {
  api = await startApi('messaging-files');
}, 120_000);
afterAll(() => api.stop());

it('the janitor removes only the file of a process that died before it stored the message', async () => {
  const [asha, vikram] = await api.people();
  const config = readConfig(api.world.env);
  expect(config).toMatchObject({ BLOB_JANITOR: 'remove', BLOB_JANITOR_AGE_H: 168 });
  const blobs = createBlobStore(blobConfigFromEnv(config));
  const left = await blobs.put(asha.userId, Buffer.from('left'));
  const attachment = new Blob([new Uint8Array(await idCardPng())]);
  for (const content of ['The card', 'Once more'])
    await api.sendForm(asha, { receiver_id: vikram.userId, content, attachment });
  const { db, logger } = api.service.foundation;
  const named = (paths: readonly string[]) => namedAttachments(db, paths);
  const tidy = () => tidyBlobs({ blobs, named, logger, removes: true, olderThanMs: -60_000 });
  expect(await tidy()).toEqual([left.path]);
  expect(await tidy()).toEqual([]);
  const links = (await api.conversation(vikram, asha)).map((message) => message.attachment?.path ?? '');
  expect(links).toHaveLength(2);
  for (const link of links) expect((await fetch(`${api.url}${link.replace('/api', '')}`)).status).toBe(200);
});
