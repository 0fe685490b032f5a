import { call } from '@karaar/api-client';
import { cmsEditorRoutes as routes } from '@karaar/contracts/cms/http';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ADMIN_KEY } from '../../shared/queries.ts';

const PAUSE_MS = 400;

/** Returns a text as readers will see it, rendered by the same service, slightly behind the typing. */
export function usePreview(content: string) {
  const [settled, setSettled] = useState(content);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(content), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [content]);
  return useQuery({
    queryKey: [ADMIN_KEY, 'cms', 'preview', settled],
    queryFn: ({ signal }) => call(routes.preview, { body: { content: settled } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
  });
}
