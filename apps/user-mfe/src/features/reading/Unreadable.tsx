import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, openFile } from '@karaar/ui';
import { verificationTexts } from '../verification/texts.ts';

/** Returns the address of a file without the signature of its link. */
export const placeOf = (source: string | Blob) =>
  typeof source === 'string' ? source.split('?')[0] : source;

type UnreadableProps = {
  source: string | Blob;
  name: string;
  /** The page that cannot be shown in full; without it, the whole file. */
  page?: number;
  onRetry?: () => void;
};

/** Replaces a PDF, or a page, that cannot be shown: a note, a link to the file, and a retry if one is offered. */
export function Unreadable({ source, name, page, onRetry }: UnreadableProps) {
  const t = useTexts(verificationTexts);
  const label = `${t('openInTab')}: ${name}`;
  const open = { compact: true, icon: 'external', 'aria-label': label } as const;
  const words = page
    ? { title: t('pageUnreadable', { page }), text: t('pageElsewhere') }
    : { title: t('unreadable', { name }), text: t('noPages') };
  return (
    <ErrorState
      {...words}
      {...(onRetry ? { onRetry } : {})}
      action={
        typeof source === 'string' ? (
          <Button as="a" {...open} href={source} target="_blank" rel="noopener">
            {t('openInTab')}
          </Button>
        ) : (
          <Button {...open} onClick={() => openFile(source)}>
            {t('openInTab')}
          </Button>
        )
      }
    />
  );
}
