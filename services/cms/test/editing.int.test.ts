import { jest } from '@jest/globals';
import {
  cmsEditorRoutes,
  type CmsEditorPage,
  type CmsPage,
  type CmsVersion,
} from '@karaar/contracts/cms/http';
import { startBrokerAdmin } from '@karaar/bus';
import { refused } from '@karaar/testing/refused';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

jest.setTimeout(60_000);

let world: ServiceWorld;
let service: Awaited<ReturnType<typeof createApp>>;
let user: WorldUser;
let editor: { authorization: string };

beforeAll(async () => {
  world = await startServiceWorld('cms-editing', { service: 'cms', startBrokerAdmin });
  service = await createApp(readConfig(world.env));
  user = await world.addUser('Asha Rao');
  editor = await world.adminHeaders('editor');
}, 120_000);
afterAll(async () => {
  await service.app.close();
  await service.close();
  await world.stop();
});

type Answer<T> = { status: number; etag: string; body: T };

async function ask<T = { detail: unknown; code: string }>(
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer<T>> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.headers ?? editor),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.get('etag') ?? '',
    body: (text ? JSON.parse(text) : undefined) as T,
  };
}
const read = (slug: string) => ask<CmsPage>('GET', `/cms/pages/${slug}`, { headers: user.headers });
const versions = async (slug: string) => (await ask<CmsVersion[]>('GET', `/cms/pages/${slug}/versions`)).body;

let pages = 0;
async function newPage(): Promise<{ slug: string; etag: string }> {
  const slug = `page-${(pages += 1)}`;
  const made = await ask<CmsEditorPage>('POST', '/cms/pages', {
    body: { slug, title: 'One', content: 'First' },
  });
  expect(made.status).toBe(201);
  return { slug, etag: made.etag };
}

describe('publishing', () => {
  it('[CMS-005] creates a page that readers then see', async () => {
    const { slug } = await newPage();
    expect(await read(slug)).toMatchObject({
      status: 200,
      body: { slug, title: 'One', content: 'First', version: 1, body: [{ kind: 'paragraph' }] },
    });
    const again = await ask('POST', '/cms/pages', { body: { slug, title: 'Other', content: 'Other' } });
    expect(again).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    expect((await read(slug)).body.title).toBe('One');
  });

  it('[CMS-008] [CMS-016] saves the next version and keeps the earlier ones, with author and note', async () => {
    const { slug } = await newPage();
    const saved = await ask<CmsEditorPage>('PUT', `/cms/pages/${slug}`, {
      body: { title: ' Two ', content: 'Second', note: 'Shorter' },
    });
    expect(saved).toMatchObject({
      status: 200,
      body: { title: 'Two', version: 2, author: 'editor-in-chief' },
    });
    expect((await read(slug)).body).toMatchObject({ title: 'Two', content: 'Second', version: 2 });
    expect(await versions(slug)).toMatchObject([
      { version: 2, title: 'Two', note: 'Shorter', author: 'editor-in-chief' },
      { version: 1, title: 'One', note: '' },
    ]);
    const events = await service.foundation.db
      .withTables<{ outbox: { id: string; type: string; data: { target: string; reason: string } } }>()
      .selectFrom('outbox')
      .select('data')
      .where('type', '=', 'cms.admin.acted')
      .orderBy('id')
      .execute();
    expect(
      events.map(({ data }) => data).filter(({ target }) => target.startsWith(`${slug},`)),
    ).toMatchObject([
      { action: 'page.published', target: `${slug}, version 1`, reason: '' },
      { action: 'page.published', target: `${slug}, version 2`, reason: 'Shorter' },
    ]);
    expect((await ask('GET', `/cms/pages/${slug}/versions/1`)).body).toMatchObject({ content: 'First' });
    expect((await ask('GET', `/cms/pages/${slug}/versions/3`)).status).toBe(404);
    for (const change of ["UPDATE page_versions SET content = ''", 'DELETE FROM page_versions']) {
      await expect(sql.raw(change).execute(service.foundation.db)).rejects.toThrow('permission denied');
      await expect(world.asOwner(change)).rejects.toThrow('never changed');
    }
  });

  it('[CMS-009] answers 404 for a page that does not exist', async () => {
    for (const [method, path, body] of [
      ['PUT', '/cms/pages/imprint', { title: 'x', content: 'x' }],
      ['GET', '/cms/pages/imprint/versions', undefined],
      ['GET', '/admin/cms/pages/imprint', undefined],
      ['PUT', '/admin/cms/pages/imprint/draft', { title: 'x', content: 'x', revision: 0 }],
      ['DELETE', '/admin/cms/pages/imprint/draft', undefined],
    ] as const) {
      refused({ method, path, ...(await ask(method, path, { body })) }, 404);
    }
  });

  it('[CMS-007] [CMS-010] refuses a page without slug, title or content', async () => {
    const whole = { slug: 'whole', title: 'x', content: 'x' };
    for (const [field, bad] of [
      ['slug', undefined],
      ['slug', '../x'],
      ['slug', 'Große'],
      ['title', undefined],
      ['title', '  '],
      ['title', 'x'.repeat(201)],
      ['content', undefined],
      ['content', ' \n'],
      ['content', 7],
    ] as const) {
      const answer = await ask('POST', '/cms/pages', { body: { ...whole, [field]: bad } });
      refused({ bad, ...answer }, 422, field);
      if (field === 'slug') continue;
      const change = await ask('PUT', '/cms/pages/about', {
        body: { title: 'x', content: 'x', [field]: bad },
      });
      refused({ bad, ...change }, 422, field);
    }
    expect((await read('whole')).status).toBe(404);
    expect((await read('about')).body.title).toBe('About Us');
  });

  it('[CMS-017] refuses to overwrite a version that another editor published meanwhile', async () => {
    const { slug, etag } = await newPage();
    const save = (title: string, tag: string) =>
      ask<CmsEditorPage>('PUT', `/cms/pages/${slug}`, {
        body: { title, content: 'x' },
        headers: { ...editor, 'if-match': tag },
      });
    const first = await save('Mine', etag);
    expect(first.status).toBe(200);
    expect(await save('Late', etag)).toMatchObject({ status: 412, body: { code: 'page_changed' } });
    expect((await read(slug)).body.title).toBe('Mine');
    expect((await save('Next', first.etag)).status).toBe(200);
  });

  it('[CMS-017] accepts only one of several simultaneous saves', async () => {
    const { slug, etag } = await newPage();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const answer = await ask('PUT', `/cms/pages/${slug}`, {
          body: { title: `By ${at}`, content: 'x' },
          headers: { ...editor, 'if-match': etag },
        });
        return answer.status;
      }),
    );
    expect(statuses.sort()).toEqual([200, ...Array<number>(7).fill(412)]);
    expect(await versions(slug)).toHaveLength(2);
  });
});

describe('drafts', () => {
  it('are visible to editors only, and are deleted when the page is published', async () => {
    const { slug } = await newPage();
    const path = `/admin/cms/pages/${slug}`;
    const draft = { title: 'Soon', content: 'Not yet', revision: 0 };
    expect((await ask<CmsEditorPage>('PUT', `${path}/draft`, { body: draft })).body.draft).toMatchObject({
      title: 'Soon',
      base_version: 1,
      revision: 1,
      author: 'editor-in-chief',
    });
    expect((await read(slug)).body).toMatchObject({ title: 'One', content: 'First' });
    const listed = (await ask<CmsEditorPage[]>('GET', '/admin/cms/pages')).body;
    expect(listed.find((page) => page.slug === slug)?.draft?.content).toBe('Not yet');
    await ask('PUT', `/cms/pages/${slug}`, { body: { title: 'Soon', content: 'Now' } });
    expect((await ask<CmsEditorPage>('GET', path)).body).toMatchObject({ content: 'Now', draft: null });
  });

  it('are not overwritten by a draft that was begun earlier', async () => {
    const { slug } = await newPage();
    const save = (content: string, revision: number) =>
      ask('PUT', `/admin/cms/pages/${slug}/draft`, { body: { title: '', content, revision } });
    expect((await save('a', 0)).status).toBe(200);
    expect((await save('b', 0)).status).toBe(412);
    expect((await save('c', 1)).status).toBe(200);
    expect((await ask<CmsEditorPage>('DELETE', `/admin/cms/pages/${slug}/draft`)).body.draft).toBeNull();
    expect((await save('d', 0)).status).toBe(200);
  });

  it('can be previewed as readers would see them', async () => {
    const answer = await ask('POST', '/admin/cms/preview', { body: { content: '# Hi <b>' } });
    expect(answer.body).toEqual({ body: [{ kind: 'heading', level: 2, runs: [{ text: 'Hi <b>' }] }] });
  });
});

describe('caching', () => {
  it('answers 304 until the page changes', async () => {
    const { slug } = await newPage();
    const { etag } = await read(slug);
    const readWithTag = (tag: string) =>
      ask('GET', `/cms/pages/${slug}`, { headers: { ...user.headers, 'if-none-match': tag } });
    expect((await readWithTag(etag)).status).toBe(304);
    expect((await readWithTag(`"other", W/${etag}`)).status).toBe(304);
    await ask('PUT', `/cms/pages/${slug}`, { body: { title: 'Two', content: 'Second' } });
    expect((await readWithTag(etag)).status).toBe(200);
  });

  it('lets proxies cache only the public pages', async () => {
    const caching = async (path: string) =>
      (await fetch(`${service.url}${path}`, { headers: user.headers })).headers.get('cache-control');
    expect(await caching('/cms/public/terms')).toBe('public, max-age=60, stale-while-revalidate=600');
    expect(await caching('/cms/pages/terms')).toBe('private, no-cache');
  });
});

describe('access for editors', () => {
  const routes = Object.values(cmsEditorRoutes).map(({ method, path }) => ({
    method,
    path: path.replace(':id', 'about').replace(':version', '1'),
  }));
  const body = (method: string) =>
    method === 'POST' || method === 'PUT'
      ? { slug: 'mine', title: 'Mine', content: 'Mine', revision: 0 }
      : undefined;

  it('[CMS-011] refuses a caller without a valid token', async () => {
    const { issuer } = world;
    const tokens = [await issuer.expired(), await issuer.forged(), await issuer.foreign()];
    for (const { method, path } of routes)
      for (const headers of [{}, ...tokens.map((token) => ({ authorization: `Bearer ${token}` }))]) {
        const answer = await ask(method, path, { body: body(method), headers });
        refused({ method, path, ...answer }, 401);
      }
  });

  it('[CMS-006] refuses users, and admins with another role', async () => {
    for (const { method, path } of routes)
      for (const headers of [user.headers, await world.adminHeaders('support')]) {
        const answer = await ask(method, path, { body: body(method), headers });
        refused({ method, path, ...answer }, 403);
      }
    expect((await read('mine')).status).toBe(404);
    expect((await read('about')).body.title).toBe('About Us');
    expect(await versions('about')).toHaveLength(1);
  });
});
