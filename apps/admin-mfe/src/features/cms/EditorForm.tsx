import { call, toastText } from '@karaar/api-client';
import { cmsEditorRoutes as routes, type CmsEditorPage } from '@karaar/contracts/cms/http';
import { languageOfPage } from '@karaar/contracts/law-pages';
import { PAGE_TITLE_MAX, type Language } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import {
  Badge,
  Button,
  formatDateTime,
  Banner,
  Sheet,
  Skeleton,
  Stack,
  TextField,
  toast,
  useConfirm,
} from '@karaar/ui';
import { Article } from '@karaar/ui/article';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type Dispatch, type ReactNode, type SetStateAction } from 'react';
import { AdminPage } from '../../shared/AdminPage.tsx';
import css from './cms.module.css';
import { MarkdownField } from './MarkdownField.tsx';
import { isConflict, isSameText, pageQuery, pagesQuery, workingText, type PageText } from './pages.ts';
import { PublishDialog } from './PublishDialog.tsx';
import { cmsTexts } from './texts.ts';
import { useDraft, type DraftState } from './useDraft.ts';
import { usePreview } from './usePreview.ts';
import { Versions } from './Versions.tsx';

const stateTexts = {
  saved: 'draftSaved',
  saving: 'draftSaving',
  unsaved: 'draftUnsaved',
  conflict: 'draftConflict',
} as const satisfies Record<DraftState, string>;

type EditorFormProps = {
  loaded: CmsEditorPage;
  title: string;
  /** Above the text. */
  children: ReactNode;
};

/** Title, text, preview and versions of a page. Input is saved as a draft automatically. */
export function EditorForm({ loaded, title, children }: EditorFormProps) {
  const t = useTexts(cmsTexts);
  const queries = useQueryClient();
  const [page, setPage] = useState(loaded);
  const [text, setText] = useState<PageText>(() => workingText(loaded));
  const [publishing, setPublishing] = useState(false);
  const [conflict, setConflict] = useState(false);
  const published = { title: page.title, content: page.content };

  const keep = (next: CmsEditorPage) => {
    setPage(next);
    queries.setQueryData(pageQuery(page.slug).queryKey, next);
    void queries.invalidateQueries({ queryKey: pagesQuery.queryKey });
  };
  const draft = useDraft(page, text, keep);
  const start = (next: CmsEditorPage) => {
    keep(next);
    setText(workingText(next));
    setConflict(false);
    draft.resume();
  };

  const { publish, reload, drop, askToDrop, dialog } = usePageActions(page, text, {
    draft,
    onNew: start,
    onPublishEnd: (isInConflict) => {
      setPublishing(false);
      setConflict(isInConflict);
    },
  });

  const isWhole = !isBlank(text.title) && !isBlank(text.content);
  const isDraft = page.draft !== null || !isSameText(published, text);
  const blocked = conflict || draft.state === 'conflict';
  const mayPublish = isDraft && isWhole && !blocked;
  return (
    <AdminPage
      title={title}
      lead={t('versionOf', { version: page.version, date: formatDateTime(page.updated_at) })}
      mark={isDraft && <Badge tone="waiting">{t('draft')}</Badge>}
      actions={
        <>
          {isDraft && (
            <Button loading={drop.isPending} onClick={() => void askToDrop()}>
              {t('drop')}
            </Button>
          )}
          <Button variant="primary" disabled={!mayPublish} onClick={() => setPublishing(true)}>
            {t('publish')}
          </Button>
        </>
      }
    >
      {children}
      {page.draft && page.draft.base_version < page.version && (
        <Banner tone="warning">{t('oldBase', { version: page.version })}</Banner>
      )}
      {blocked && (
        <ConflictBanner
          loading={reload.isPending}
          publishing={publish.isPending}
          mayPublish={isWhole}
          onReload={() => reload.mutate()}
          onPublish={() => publish.mutate({ note: '', over: true })}
        />
      )}
      <Writing
        text={text}
        language={languageOfPage(page.slug)}
        onText={setText}
        note={<DraftNote state={draft.state} shown={isDraft} />}
      />
      <Versions page={page} text={text} onTake={(taken) => setText(taken)} />
      {dialog}
      <PublishDialog
        opened={publishing}
        busy={publish.isPending}
        onClose={() => setPublishing(false)}
        onPublish={(note) => publish.mutate({ note, over: false })}
      />
    </AdminPage>
  );
}

const isBlank = (text: string): boolean => text.trim() === '';

type PageActionsParts = {
  draft: ReturnType<typeof useDraft>;
  /** Called with the present page of the server. */
  onNew: (next: CmsEditorPage) => void;
  onPublishEnd: (isInConflict: boolean) => void;
};

/** Publishes, loads another admin's version, or discards the draft. */
function usePageActions(
  page: CmsEditorPage,
  text: PageText,
  { draft, onNew, onPublishEnd }: PageActionsParts,
) {
  const t = useTexts(cmsTexts);
  const { slug } = page;
  const confirm = useConfirm();
  const publish = useMutation({
    mutationFn: async ({ note, over }: { note: string; over: boolean }) => {
      await draft.settle();
      const body = { ...text, note };
      return call(routes.savePage, { params: { id: slug }, body }, over ? {} : { ifMatch: page.etag });
    },
    onSuccess: (next) => {
      onPublishEnd(false);
      onNew(next);
      toast.success(t('published'));
    },
    onError: (error) => {
      onPublishEnd(isConflict(error));
      if (!isConflict(error)) {
        draft.resume();
        toast.error(toastText(error, t('publishFailed')));
      }
    },
  });
  const reload = useMutation({
    mutationFn: () => call(routes.editorPage, { params: { id: slug } }),
    onSuccess: onNew,
    onError: (error) => toast.error(toastText(error, t('loadFailed'))),
  });
  const drop = useMutation({
    mutationFn: async () => {
      await draft.settle();
      return call(routes.dropDraft, { params: { id: slug } });
    },
    onSuccess: (next) => {
      onNew(next);
      toast.success(t('dropped'));
    },
    onError: (error) => {
      draft.resume();
      toast.error(toastText(error, t('dropFailed')));
    },
  });
  const askToDrop = async () => {
    const question = { title: t('dropQuestion'), text: t('dropText'), confirm: t('drop'), reject: true };
    if (await confirm.ask(question)) drop.mutate();
  };
  return { publish, reload, drop, askToDrop, dialog: confirm.dialog };
}

type ConflictBannerProps = {
  loading: boolean;
  publishing: boolean;
  mayPublish: boolean;
  onReload: () => void;
  onPublish: () => void;
};

/** Another admin has published meanwhile: load that version, or publish over it. */
function ConflictBanner({ loading, publishing, mayPublish, onReload, onPublish }: ConflictBannerProps) {
  const t = useTexts(cmsTexts);
  return (
    <Banner tone="rejected">
      <Stack gap={1}>
        <span>{t('conflict')}</span>
        <div className={css.answers}>
          <Button compact loading={loading} onClick={onReload}>
            {t('loadTheirs')}
          </Button>
          <Button compact disabled={!mayPublish} loading={publishing} onClick={onPublish}>
            {t('publishMine')}
          </Button>
        </div>
      </Stack>
    </Banner>
  );
}

type WritingProps = {
  text: PageText;
  language: Language;
  onText: Dispatch<SetStateAction<PageText>>;
  /** The state of saving the draft. */
  note: ReactNode;
};

/** Title and text next to the preview. */
function Writing({ text, language, onText, note }: WritingProps) {
  const t = useTexts(cmsTexts);
  return (
    <div className={css.editor}>
      <Sheet title={t('write')} actions={note}>
        <Stack>
          <TextField
            label={t('pageTitle')}
            value={text.title}
            maxLength={PAGE_TITLE_MAX}
            lang={language}
            error={isBlank(text.title) ? t('titleMissing') : undefined}
            onChange={(event) => onText({ ...text, title: event.target.value })}
          />
          <MarkdownField
            value={text.content}
            language={language}
            onChange={(content) => onText((now) => ({ ...now, content }))}
            error={isBlank(text.content) ? t('textMissing') : undefined}
          />
        </Stack>
      </Sheet>
      <Sheet title={t('preview')} note={t('previewNote')}>
        <Preview content={text.content} language={language} />
      </Sheet>
    </div>
  );
}

function DraftNote({ state, shown }: { state: DraftState; shown: boolean }) {
  const t = useTexts(cmsTexts);
  return (
    <span className={css.note} role="status">
      {shown && t(stateTexts[state])}
    </span>
  );
}

function Preview({ content, language }: { content: string; language: Language }) {
  const t = useTexts(cmsTexts);
  const preview = usePreview(content);
  if (preview.data)
    return (
      <div className={css.preview} tabIndex={0} role="group" aria-label={t('preview')}>
        <Article body={preview.data.body} lang={language} />
      </div>
    );
  return preview.isError ? <p className={css.note}>{t('previewFailed')}</p> : <Skeleton lines={8} />;
}
