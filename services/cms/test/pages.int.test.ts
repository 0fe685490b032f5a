import { LAW } from '@karaar/contracts/cms/law';
import { cmsRpc } from '@karaar/contracts/cms/rpc';
import { jest } from '@jest/globals';
import { cmsRoutes } from '@karaar/contracts/cms/http';
import { startBrokerAdmin } from '@karaar/bus';
import { refused } from '@karaar/testing/refused';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

jest.setTimeout(60_000);

type Page = { slug: string; title: string; content: string; updated_at: string };

let world: ServiceWorld;
let service: Awaited<ReturnType<typeof createApp>>;
let user: WorldUser;

beforeAll(async () => {
  world = await startServiceWorld('cms', { service: 'cms', startBrokerAdmin });
  service = await createApp(readConfig(world.env));
  user = await world.addUser('Asha Rao');
}, 120_000);
afterAll(async () => {
  await service.app.close();
  await service.close();
  await world.stop();
});

const get = async <T = Record<string, unknown>>(path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}${path}`, { headers });
  return { status: response.status, body: (await response.json()) as T };
};
const TITLES = {
  about: 'About Us',
  contact: 'Contact Support',
  privacy: 'Privacy Policy',
  terms: 'Terms & Conditions',
  law: 'What the law says',
};
const SLUGS = ['about', 'contact', 'terms', 'privacy', 'law'] as const;

describe('pages', () => {
  it('[CMS-002] [CMS-018] lists the pages of a new installation', async () => {
    const { status, body } = await get<Page[]>('/cms/pages', user.headers);
    expect(status).toBe(200);
    expect(Object.fromEntries(body.map(({ slug, title }) => [slug, title]))).toEqual(TITLES);
    for (const page of body) expect(page.content.length).toBeGreaterThan(200);
  });

  it('[CMS-003] [CMS-018] returns each page by its slug', async () => {
    for (const [slug, title] of Object.entries(TITLES)) {
      expect(await get(`/cms/pages/${slug}`, user.headers)).toEqual({
        status: 200,
        body: {
          slug,
          title,
          content: expect.stringMatching(/\S/),
          body: expect.arrayContaining([expect.objectContaining({ kind: 'heading' })]),
          language: 'en',
          version: 1,
          updated_at: expect.any(String),
        },
      });
    }
  });

  it('[CMS-004] answers 404 for any other slug', async () => {
    for (const slug of ['imprint', 'About', 'about%20', '%2e%2e', "'or'1"]) {
      const answer = await get(`/cms/pages/${slug}`, user.headers);
      refused({ slug, ...answer }, 404);
    }
  });

  it('serves these pages, and only these, before sign-in', async () => {
    for (const slug of SLUGS) {
      expect(await get(`/cms/public/${slug}`)).toMatchObject({
        status: 200,
        body: { title: TITLES[slug], language: 'en' },
      });
    }
    expect((await get('/cms/public/imprint')).status).toBe(404);
  });

  it('serves the pages in each language of the product, with the same headings as in English', async () => {
    const seen = new Set<string>();
    for (const slug of SLUGS) {
      const outline = async (path: string) => {
        const { body } = await get(path);
        const kinds = (body['body'] as { kind: string }[]).map(({ kind }) => kind);
        return { language: body['language'], title: String(body['title']), kinds };
      };
      const english = await outline(`/cms/public/${slug}`);
      for (const language of ['hi', 'ta', 'bn', 'mr', 'te']) {
        const own = await outline(`/cms/public/${slug}?language=${language}`);
        expect(own).toMatchObject({ language, kinds: english.kinds });
        expect(own.title).not.toMatch(/[A-Za-z]/);
        seen.add(own.title + language);
      }
    }
    expect(seen.size).toBe(25);
    const signedIn = await get('/cms/pages/privacy?language=hi', user.headers);
    expect(signedIn.body).toMatchObject({ title: 'गोपनीयता नीति', language: 'hi' });
    expect((await get('/cms/public/privacy?language=xx')).status).toBe(422);
  });

  it('tells documents the words about the law in each language: the operator’s, else ours', async () => {
    const law = async () => (await world.ask(cmsRpc.law, {}, 'documents')).law;
    expect(await law()).toEqual(LAW);
    const { db } = service.foundation;
    const change = (slug: string, content: string) =>
      db
        .updateTable('pages')
        .set({ content })
        .where('slug', '=', slug)
        .returning('content')
        .executeTakeFirstOrThrow();
    const before = await db
      .selectFrom('pages')
      .select(['slug', 'content'])
      .where('slug', 'like', 'law%')
      .execute();
    expect(before.map(({ slug }) => slug).sort()).toEqual([
      'law',
      'law-bn',
      'law-hi',
      'law-mr',
      'law-ta',
      'law-te',
    ]);
    await change(
      'law',
      '## Ours\n\nAsk **us**, or [read on](/terms).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| c | d |\n\n---',
    );
    await change('law-hi', '- हमारे शब्द');
    expect(await law()).toEqual({
      ...LAW,
      en: {
        title: LAW.en.title,
        lines: [
          { text: 'Ours', heading: true },
          ...['Ask us, or read on.', 'one', 'two', 'a – b', 'c – d'].map((text) => ({ text })),
        ],
      },
      hi: { title: LAW.hi.title, lines: [{ text: 'हमारे शब्द' }] },
    });
    // Readers get the same words, by the page's own name.
    expect((await get('/cms/public/law?language=hi')).body).toMatchObject({
      slug: 'law',
      language: 'hi',
      content: '- हमारे शब्द',
    });
    for (const path of ['/cms/public/law-hi', '/cms/public/law-en'])
      refused({ path, ...(await get(path)) }, 404);
    for (const { slug, content } of before) await change(slug, content);
  });

  it('[CMS-018] does not seed over a page that an editor changed', async () => {
    const { db } = service.foundation;
    const { content } = await db
      .selectFrom('pages')
      .select('content')
      .where('slug', '=', 'about')
      .executeTakeFirstOrThrow();
    await db.updateTable('pages').set({ content: 'Changed' }).where('slug', '=', 'about').execute();
    const second = await createApp(readConfig(world.env));
    await second.app.close();
    await second.close();
    expect((await get<Page>('/cms/pages/about', user.headers)).body.content).toBe('Changed');
    await db.updateTable('pages').set({ content }).where('slug', '=', 'about').execute();
  });
});

describe('access', () => {
  it('[CMS-011] answers 401 on the private routes without a token, and for an expired, forged or foreign token', async () => {
    const paths = Object.values(cmsRoutes)
      .filter(({ access }) => access !== 'public')
      .map(({ path }) => path.replace(':id', 'about'));
    expect(paths).toHaveLength(2);
    const tokens = [await world.issuer.expired(), await world.issuer.forged(), await world.issuer.foreign()];
    for (const path of paths) {
      for (const headers of [{}, ...tokens.map((token) => ({ authorization: `Bearer ${token}` }))]) {
        const answer = await get(path, headers);
        refused({ path, ...answer }, 401);
      }
      expect((await get(path, await world.adminHeaders())).status).toBe(403);
    }
  });
});
