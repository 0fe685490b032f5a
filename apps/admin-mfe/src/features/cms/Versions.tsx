import { toastText } from '@karaar/api-client';
import type { CmsEditorPage, CmsVersion } from '@karaar/contracts/cms/http';
import { languageOfPage } from '@karaar/contracts/law-pages';
import { useTexts } from '@karaar/i18n';
import { Badge, Button, ErrorState, formatDateTime, Modal, Sheet, Skeleton, Stack } from '@karaar/ui';
import { ListSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import css from './cms.module.css';
import { Difference } from './Difference.tsx';
import { versionQuery, versionsQuery, type PageText } from './pages.ts';
import { cmsTexts } from './texts.ts';

type VersionsProps = {
  page: CmsEditorPage;
  /** The editor's text, for comparison. */
  text: PageText;
  onTake: (text: PageText) => void;
};

/** Every version of the page, each to compare with the editor's text and to restore. */
export function Versions({ page, text, onTake }: VersionsProps) {
  const t = useTexts(cmsTexts);
  const versions = useQuery(versionsQuery(page.slug, page.version));
  const [compared, setCompared] = useState<number | null>(null);
  return (
    <Sheet title={t('versions')} note={t('versionsNote')} flush>
      {versions.isPending && <ListSkeleton label={t('versions')} />}
      {versions.isError && (
        <ErrorState
          title={toastText(versions.error, t('loadFailed'))}
          onRetry={() => void versions.refetch()}
          retrying={versions.isFetching}
        />
      )}
      <ul className={css.pages}>
        {versions.data?.map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            current={version.version === page.version}
            onCompare={() => setCompared(version.version)}
          />
        ))}
      </ul>
      <Modal
        title={t('comparison', { version: compared ?? page.version })}
        opened={compared !== null}
        onClose={() => setCompared(null)}
        width={760}
      >
        {compared !== null && (
          <Comparison
            slug={page.slug}
            version={compared}
            text={text}
            onTake={(taken) => {
              onTake(taken);
              setCompared(null);
            }}
          />
        )}
      </Modal>
    </Sheet>
  );
}

type VersionRowProps = { version: CmsVersion; current: boolean; onCompare: () => void };

function VersionRow({ version, current, onCompare }: VersionRowProps) {
  const t = useTexts(cmsTexts);
  return (
    <li className={css.version}>
      <span className={css.pageText}>
        <span className={css.pageTitle}>
          <span>{`${t('version', { version: version.version })} `}</span>
          {current && <Badge tone="verified">{t('current')}</Badge>}
        </span>
        <span className={css.note}>
          {`${formatDateTime(version.created_at)} · ${version.author || t('shipped')}`}
        </span>
        {version.note && (
          <span className={css.note} translate="no">
            {version.note}
          </span>
        )}
      </span>
      <Button compact onClick={onCompare} aria-label={t('compareVersion', { version: version.version })}>
        {t('compare')}
      </Button>
    </li>
  );
}

type ComparisonProps = { slug: string; version: number; text: PageText; onTake: (text: PageText) => void };

function Comparison({ slug, version, text, onTake }: ComparisonProps) {
  const t = useTexts(cmsTexts);
  const old = useQuery(versionQuery(slug, version));
  if (old.isPending) return <Skeleton height={240} />;
  if (!old.data) {
    return (
      <ErrorState
        title={toastText(old.error, t('loadFailed'))}
        onRetry={() => void old.refetch()}
        retrying={old.isFetching}
      />
    );
  }
  const { title, content } = old.data;
  return (
    <Stack>
      <Difference
        before={`${title}\n\n${content}`}
        after={`${text.title}\n\n${text.content}`}
        language={languageOfPage(slug)}
      />
      <div className={css.answers}>
        <Button variant="primary" onClick={() => onTake({ title, content })}>
          {t('take')}
        </Button>
      </div>
    </Stack>
  );
}
