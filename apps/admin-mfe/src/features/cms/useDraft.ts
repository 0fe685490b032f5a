import { call, toastText } from '@karaar/api-client';
import { cmsEditorRoutes as routes, type CmsEditorPage } from '@karaar/contracts/cms/http';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isConflict, isSameText, workingText, type PageText } from './pages.ts';
import { cmsTexts } from './texts.ts';

const PAUSE_MS = 1_500;

export type DraftState = 'saved' | 'saving' | 'unsaved' | 'conflict';

/**
 * Saves the input as a draft on the server, shortly after the typing stops and when the screen is left. One
 * save at a time; after a refusal saving stops until the editor has seen the other version.
 * @param onSaved receives the page with its new draft
 */
export function useDraft(page: CmsEditorPage, text: PageText, onSaved: (page: CmsEditorPage) => void) {
  const t = useTexts(cmsTexts);
  const [state, setState] = useState<DraftState>('saved');
  const latest = useRef({ page, text, onSaved });
  latest.current = { page, text, onSaved };
  const running = useRef<Promise<void> | null>(null);
  const stopped = useRef(false);

  const save = useCallback(async (): Promise<void> => {
    await running.current;
    const { page: now, text: typed, onSaved: notify } = latest.current;
    if (stopped.current || isSameText(workingText(now), typed)) return;
    setState('saving');
    const work = call(routes.saveDraft, {
      params: { id: now.slug },
      body: { ...typed, revision: now.draft?.revision ?? 0 },
    }).then(
      (saved) => {
        latest.current = { ...latest.current, page: saved };
        notify(saved);
        setState('saved');
      },
      (error: unknown) => {
        stopped.current = isConflict(error);
        setState(stopped.current ? 'conflict' : 'unsaved');
        if (!stopped.current) toast.error(toastText(error, t('draftFailed')));
      },
    );
    running.current = work.finally(() => (running.current = null));
    await running.current;
  }, [t]);

  const changed = !isSameText(workingText(page), text);
  useEffect(() => {
    if (!changed) return;
    const timer = setTimeout(() => void save(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [changed, text.title, text.content, save]);
  useEffect(() => () => void save(), [save]);
  useEffect(() => {
    if (!changed) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [changed]);

  /** Stops saving: the text was published or discarded. */
  const settle = useCallback(async () => {
    stopped.current = true;
    await running.current;
  }, []);
  const resume = useCallback(() => {
    stopped.current = false;
    setState('saved');
  }, []);

  return { state: changed && state === 'saved' ? ('unsaved' as const) : state, settle, resume };
}
