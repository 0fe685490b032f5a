import { ApiError, call } from '@karaar/api-client';
import { cmsEditorRoutes as routes, type CmsEditorPage } from '@karaar/contracts/cms/http';
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';

export type Slug = 'about' | 'contact' | 'terms' | 'privacy' | 'law';
export const SLUGS: readonly Slug[] = ['about', 'contact', 'terms', 'privacy', 'law'];

export const pagesQuery = queryOptions({
  queryKey: [ADMIN_KEY, 'cms', 'pages'],
  queryFn: ({ signal }) => call(routes.editorPages, {}, { signal }),
});

export const pageQuery = (slug: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'cms', 'page', slug],
    queryFn: ({ signal }) => call(routes.editorPage, { params: { id: slug } }, { signal }),
    // The form owns the text from here on; saving detects changes by others.
    staleTime: Infinity,
    gcTime: 0,
  });

export const versionsQuery = (slug: string, version: number) =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'cms', 'versions', slug, version],
    queryFn: ({ signal }) => call(routes.listVersions, { params: { id: slug } }, { signal }),
  });

export const versionQuery = (slug: string, version: number) =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'cms', 'version', slug, version],
    queryFn: ({ signal }) => call(routes.getVersion, { params: { id: slug, version } }, { signal }),
    staleTime: Infinity,
  });

export type PageText = { title: string; content: string };

/** Returns the text to edit: the draft, else the published one. */
export const workingText = ({ title, content, draft }: CmsEditorPage): PageText =>
  draft ? { title: draft.title, content: draft.content } : { title, content };

export const isSameText = (a: PageText, b: PageText): boolean =>
  a.title === b.title && a.content === b.content;

/** Returns true if a save was refused because another editor saved first. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 412;
