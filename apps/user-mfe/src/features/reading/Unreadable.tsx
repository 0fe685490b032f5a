import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, openFile, Row, Stack } from '@karaar/ui';
import { verificationTexts } from '../verification/texts.ts';

/** Returns the address of a file without the signature of its link. */
export const placeOf = (source: string | Blob) =>
  typeof source === 'string' ? source.split('?')[0] : source;

/** Replaces a PDF that cannot be shown: a note, and a link to the file. */
export function Unreadable({ source, name }: { source: string | Blob; name: string }) {
  const t = useTexts(verificationTexts);
  const label = `${t('openInTab')}: ${name}`;
  return (
    <Stack gap={1}>
      <ErrorState title={t('unreadable', { name })} text={t('noPages')} />
      <Row justify="center">
        {typeof source === 'string' ? (
          <Button
            as="a"
            compact
            icon="external"
            href={source}
            target="_blank"
            rel="noopener"
            aria-label={label}
          >
            {t('openInTab')}
          </Button>
        ) : (
          <Button compact icon="external" aria-label={label} onClick={() => openFile(source)}>
            {t('openInTab')}
          </Button>
        )}
      </Row>
    </Stack>
  );
}
